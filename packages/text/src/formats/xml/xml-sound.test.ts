/** The quick judge of XML: it knows ordinary files, and never accepts what the parser refuses. */
import { readdirSync, readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { scanSound } from './xml-scan.ts'
import { isSurelySound } from './xml-sound.ts'

const samples = new URL('../../../../../tests/samples/', import.meta.url)
const files = readdirSync(samples)
  .map((name) => readFileSync(new URL(name, samples), 'utf8'))
  .filter((text) => text.startsWith('<?xml'))

function isWellFormed(text: string): boolean {
  const parser = new SaxesParser({ xmlns: false })
  let isFine = true
  parser.on('error', ({ message }) => {
    isFine &&= text.includes('<!DOCTYPE') && message.endsWith('undefined entity.')
  })
  parser.write(text).close()
  return isFine
}

function isSurely(text: string): boolean {
  try {
    return isSurelySound(scanSound(text))
  } catch {
    return false
  }
}

test('ordinary files are known at once', () => {
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((text) => !isSurely(text))).toEqual([])
})

test.each([
  ['a second root', '<a/><b/>'],
  ['no root', '<!-- a -->'],
  ['text outside the root', '<a/>b'],
  ['CDATA outside the root', '<![CDATA[x]]><a/>'],
  ['another closing name', '<a></b>'],
  ['a longer closing name', '<a></ab>'],
  ['an attribute twice', '<a b="1" b="2"/>'],
  ['attributes without a blank', '<a b="1"c="2"/>'],
  ['an attribute without quotes', '<a b=1/>'],
  ['an attribute without a value', '<a b/>'],
  ['< in an attribute', '<a b="<"/>'],
  ['a bare &', '<a>x & y</a>'],
  ['a bare & in an attribute', '<a b="x & y"/>'],
  ['an unknown entity', '<a>&nbsp;</a>'],
  ['a reference to no character', '<a>&#11;</a>'],
  ['a reference to half a character', '<a>&#xd800;</a>'],
  [']]> in a text', '<a>]]></a>'],
  ['a control', '<a>\u0001</a>'],
  ['-- in a comment', '<a><!-- x -- y --></a>'],
  ['a comment that ends in three', '<a><!-- x ---></a>'],
  ['a late declaration', '<a/><?xml version="1.0"?>'],
  ['a DOCTYPE after the root', '<a/><!DOCTYPE a>'],
  ['two DOCTYPEs', '<!DOCTYPE a><!DOCTYPE a><a/>'],
  ['a name that is none', '<1a/>'],
  ['a tag without a name', '<a>< b></a>'],
])('%s is not accepted', (_, text) => {
  expect(isWellFormed(text)).toBe(false)
  expect(isSurely(text)).toBe(false)
})

test('whatever is changed in a file, it is accepted only if the parser accepts it', () => {
  const marks = [
    '<',
    '>',
    '&',
    ';',
    '"',
    "'",
    '/',
    '!',
    '-',
    ']]>',
    '=',
    ' ',
    '?',
    'a',
    '\u0001',
    '[',
    '&a;',
    '&#1;',
    '<a>',
  ]
  const accepted: string[] = []
  let tried = 0
  for (const text of files)
    for (let at = 0; at < text.length; at += 7)
      for (const [which, mark] of marks.entries()) {
        const place = Math.min(text.length, at + (which % 7))
        const changed = text.slice(0, place) + mark + text.slice(place + (which % 3))
        tried += 1
        if (isSurely(changed) && !isWellFormed(changed)) accepted.push(changed)
      }
  expect(tried).toBeGreaterThan(5_000)
  expect(accepted).toEqual([])
})
