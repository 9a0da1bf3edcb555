import { expect, test } from 'vitest'
import { detectFormat, formatIds, formatRows } from './index.ts'

const cases: [name: string, head: string, format: string | undefined, contentType?: string][] = [
  ['a.txt', '<html>', 'text'],
  ['A.HTML', 'no tag at all', 'html'],
  ['a.xlf', '<xliff version="1.2">', 'xliff-1.2'],
  ['a.xlf', '<other/>', undefined],
  ['a.xlf', '<xliff version="3.0"/>', undefined],
  ['a.xml', '<?xml version="1.0"?><!-- c --><x:xliff version="2.1" xmlns:x="u"/>', 'xliff-2'],
  ['a.xml', '<!DOCTYPE xliff [ <!ENTITY a ">"> ]>\n<xliff version="1.1">', 'xliff-1.2'],
  ['a.xml', '<content><field key="a">b</field></content>', 'key-value'],
  ['a.xml', '<content><p>b</p></content>', 'xml'],
  ['a.xml', '', 'xml'],
  ['a.json', '{', 'json'],
  ['README', 'Read me first', 'text'],
  ['README', 'Read me', undefined, 'image/png'],
  ['DATA', '\ufeff{ "a": "b" }', 'json'],
  ['DATA', '[{"a": "b"}]', 'json'],
  ['DATA', '[draft] Read me', 'text'],
  ['DATA', 'PK\u0003\u0004', undefined],
  ['DATA', '', undefined],
  ['notes.unknown', 'Read me', undefined],
  ['README', 'text', 'text', 'text/plain; charset=utf-8'],
  ['README', '{', 'json', 'Application/JSON'],
  ['page', '\ufeff<!doctype html><p>x', 'html', 'application/octet-stream'],
  ['a.unknown', '<xliff version="2.0">', 'xliff-2'],
  ['a.docx.bak', 'PK', undefined],
  ['en.php', "<?php return ['a' => 'b'];", 'php-array'],
  [
    'en.php',
    "<?php\n// Texts\n/* of it */ declare(strict_types=1);\nreturn array ('a' => 'b');",
    'php-array',
  ],
  ['en.php', "<?php\r// Texts\rreturn ['a' => 'b'];", 'php-array'],
  ['en.php', "<?php if (!defined('ABSPATH')) { exit; }\nreturn [", 'php-array'],
  ['page.php', "<?php\nnamespace A;\nclass B { function c() { return ['a' => 'b']; } }", undefined],
  ['page.php', '<?php require "a.php"; return [];', undefined],
  ['page.php', '<p>Text</p><?php return []; ?>', undefined],
]
test.each(cases)('%s that begins with %j is %s', (fileName, head, format, contentType?) => {
  expect(detectFormat({ fileName, contentType, head: () => head })).toBe(format)
})

test('the bytes are looked at only where the name and the type do not decide', () => {
  const head = () => {
    throw new Error('the file was read')
  }
  expect(detectFormat({ fileName: 'a.html', head })).toBe('html')
  expect(detectFormat({ fileName: 'page', contentType: 'text/html', head })).toBe('html')
})

test('every row of the table says all that is shown of it', () => {
  for (const id of formatIds) {
    const { name, extensions, text, kept, megabytes } = formatRows[id]
    expect(name).not.toBe('')
    expect(extensions.every((one) => /^[a-z0-9]+$/.test(one))).toBe(true)
    expect([text, kept].every((sentence) => /^[A-Z`].*\.$/.test(sentence))).toBe(true)
    expect(megabytes).toBeLessThanOrEqual(50)
  }
})
