/** What is recognised and never translated says what to do with it. */
import { expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { bytesOf } from './laws.ts'

test.each([
  ['memory.tmx', '<tmx version="1.4"><body/></tmx>', 'A TMX file is a translation memory'],
  [
    'memory.xml',
    '<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4">',
    'A TMX file is a translation memory',
  ],
  ['terms.tbx', '<martif type="TBX"/>', 'A TBX file is a termbase'],
  ['terms.xml', '<tbx style="dca"/>', 'A TBX file is a termbase'],
])('%s is not translated, and the sentence says what to do', (name, text, sentence) => {
  const format = findFormat(name, bytesOf(text))
  expect(() => format?.open(bytesOf(text))).toThrow(sentence)
})
