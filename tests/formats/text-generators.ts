/** Generators of the formats that are lines of text. */
import fc from 'fast-check'
import { sentence, words } from './words.ts'

const eol = fc.constantFrom('\n', '\r\n', '\r')
const linesOf = (blocks: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(blocks, eol, fc.boolean()).map(([all, end, last]) => all.join(end) + (last ? end : ''))

const poString = sentence.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
const comment = fc.constantFrom(
  '',
  '# note',
  '#, fuzzy',
  '#, c-format, fuzzy',
  '#| msgid "was"',
  '#~ msgid "old"',
  '#. x',
)
const poEntry = fc
  .tuple(
    comment,
    fc.option(poString),
    poString,
    fc.option(poString),
    fc.option(poString),
    fc.boolean(),
  )
  .map(([note, context, id, plural, held, wraps]) => [
    ...(note ? [note] : []),
    ...(context ? [`msgctxt ${context}`] : []),
    wraps ? 'msgid ""' : `msgid "x"`,
    id,
    ...(plural
      ? [`msgid_plural ${plural}`, `msgstr[0] ${held ?? '""'}`, `msgstr[1] ${held ?? '""'}`]
      : [`msgstr ${held ?? '""'}`]),
    '',
  ])
const po = linesOf(fc.array(poEntry, { maxLength: 6 }).map((all) => all.flat()))

const propertyText = sentence.map((text) => text.replaceAll('\\', '\\\\'))
const property = fc
  .tuple(
    fc.constantFrom('a', 'b.c', 'd\\ e', '', '\\u00e9'),
    fc.constantFrom('=', ' = ', ': ', ' '),
    propertyText,
    fc.boolean(),
  )
  .map(
    ([key, sign, value, wraps]) => key + sign + (wraps ? value.replaceAll(' ', ' \\\n   ') : value),
  )
const properties = linesOf(
  fc.array(
    fc.oneof(
      property,
      fc.constantFrom('', '# note', '! note', 'key', '  ', 'a=\\', "m={0} it''s '{'x'}'"),
    ),
    {
      maxLength: 8,
    },
  ),
)

const appleText = sentence.map((text) => text.replace(/["\\]/g, '\\$&'))
const apple = linesOf(
  fc.array(
    fc.oneof(
      fc
        .tuple(words, appleText)
        .map(([key, text]) => `"${key.replace(/["\\]/g, '\\$&')}" = "${text}";`),
      fc.constantFrom(
        '/* a "note" */',
        '// "note',
        '',
        'bare = "x\\ny";',
        '"alone";',
        '"e" = "\\U00e9 \\101\\"";',
      ),
    ),
    { maxLength: 8 },
  ),
)

const yamlPlain = sentence.map((text) => text.replace(/[^\p{L} .]/gu, '').trim() || 'x')
const yamlValue = fc.oneof(
  yamlPlain,
  sentence.map((text) => `'${text.replaceAll("'", "''")}'`),
  sentence.map((text) => JSON.stringify(text)),
  yamlPlain.map((text) => `|\n    ${text}\n      in\n\n    end\n`),
  yamlPlain.map((text) => `>-\n    ${text}\n    folded\n\n    end`),
  yamlPlain.map((text) => `[${text}, "b c", {k: ${text}}]`),
  yamlPlain.map((text) => `&a ${text} # note`),
  yamlPlain.map((text) => `${text}\n    goes on`),
  yamlPlain.map((text) => `\n    - ${text}\n    - - one two\n      - x: yes\n    - 'it''s'`),
  fc.constantFrom(
    '12',
    'yes',
    '~',
    '2020-01-01',
    '*a',
    '!x foo bar',
    '!!str 12',
    '',
    'null',
    '1e3',
  ),
)
const yamlItem = fc.tuple(fc.constantFrom('a', 'b c', '"d"', 'one', 'other', '/'), yamlValue)
const yaml = fc
  .tuple(fc.array(yamlItem, { maxLength: 6 }), fc.constantFrom('root', 'en', 'pt-BR'), eol)
  .map(([items, top, end]) =>
    [`${top}:`, ...items.map(([key, value]) => `  ${key}: ${value}`), '']
      .join('\n')
      .replaceAll('\n', end),
  )

const cell = fc.oneof(
  sentence.map((text) => text.replace(/[",;\t|\r\n]/g, '')),
  sentence.map((text) => `"${text.replaceAll('"', '""')}"`),
  sentence.map((text) => `"${text.replaceAll('"', '')}, and\nmore"`),
  fc.constantFrom('', '12.5', '=A1+B2', '-5', '@x', '"odd"x', ' padded ', '2020-01-01'),
)
const csv = fc
  .tuple(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
    fc.constantFrom(',', ';', '\t'),
    eol,
  )
  .map(([rows, delimiter, end]) =>
    [['a', 'b', 'c'], ...rows]
      .map((row) => row.join(delimiter))
      .join(end)
      .replaceAll('"odd"x', '"odd" x'),
  )

const cueText = fc.oneof(
  sentence.map((text) => text.trim() || 'x'),
  fc.tuple(words, words).map(([one, other]) => `- a${one}\n- b${other}`),
  fc.tuple(sentence, sentence).map(([one, other]) => `A ${one}\nB ${other}`),
  fc.constantFrom(
    '一二三四\n五六',
    '<i>One</i>\ntwo',
    '{\\an8}Up here',
    'A <00:00:01.000>B',
    'R&amp;B &nbsp; &lrm;x',
  ),
)
const cues = (texts: readonly string[], mark: string): string[] =>
  texts.map(
    (text, at) =>
      `${at % 2 ? `${at}\n` : ''}00:00:0${at % 10}${mark}000 --> 00:00:09${mark}500\n${text}\n`,
  )
const srt = fc
  .tuple(fc.array(cueText, { maxLength: 5 }), eol)
  .map(([all, end]) => cues(all, ',').join('\n').replaceAll('\n', end))
const vtt = fc
  .tuple(fc.array(cueText, { maxLength: 5 }), eol)
  .map(([all, end]) =>
    ['WEBVTT', 'NOTE\nA --> note', 'STYLE\n::cue { }', ...cues(all, '.')]
      .join('\n\n')
      .replaceAll('\n', end),
  )

const inline = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.constantFrom(
    '**bold**',
    '_soft_',
    '`code *x*`',
    '[link](a_b "t")',
    '![pic](x.png)',
    '<b>tag</b>',
    '<https://a.b>',
    '~~gone~~',
  ),
  fc.constantFrom(
    '[ref]',
    '[text][ref]',
    '[^1]',
    'a_b_c',
    '2 * 3',
    '\\*x\\*',
    '``a ` b``',
    'x  \ny',
    'x\\\ny',
    '[a [b] c](d)',
    'https://a.b/_x_',
  ),
)
const prose = fc.array(inline, { minLength: 1, maxLength: 6 }).map((all) => `A ${all.join(' ')}`)
const block = fc.oneof(
  prose,
  prose.map((text) => `## ${text.replaceAll('\n', ' ')} ##`),
  prose.map((text) => `- ${text.replaceAll('\n', '\n  ')}\n- [ ] task ${words}\n\n  more`),
  prose.map((text) => `1. ${text.replaceAll('\n', '\n   ')}`),
  prose.map((text) => `> ${text.replaceAll('\n', '\n> ')}\n> and\nlazy`),
  prose.map((text) => `| a | b |\n|---|:-:|\n| ${text.replace(/[|\n]/g, ' ')} | x \\| y |`),
  prose.map((text) => `${text}\nTitle\n===`),
  fc.constantFrom(
    '```js\ncode\n```',
    '    code',
    '---',
    '<div>\nHello <b>you</b>\n</div>',
    '[ref]: http://x',
    ':::note\nInside here\n:::',
    '[^1]: A note',
  ),
)
const markdown = fc
  .tuple(fc.boolean(), fc.array(block, { maxLength: 6 }), eol)
  .map(([front, blocks, end]) =>
    `${front ? '---\ntitle: A title\nslug: x\n---\n' : ''}${blocks.join('\n\n')}\n`.replaceAll(
      '\n',
      end,
    ),
  )

const phpValue = fc.oneof(
  sentence.map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`),
  sentence.map((text) => `"${text.replace(/["\\$]/g, '\\$&')}"`),
  fc.constantFrom(
    '12',
    "['a', 'b' => 'c d']",
    'array(\'x\' => "y z",)',
    "f('x')",
    "'a' . 'b'",
    '"x $y"',
    '"\\x41\\u{e9}\\101"',
  ),
)
const php = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("'a' => ", '"b" => ', '', '3 => ', '// note\n'), phpValue), {
      maxLength: 6,
    }),
    eol,
  )
  .map(([items, end]) =>
    `<?php\nreturn [\n${items.map((item) => item.join('')).join(',\n')}\n];\n`.replaceAll(
      '\n',
      end === '\r' ? '\n' : end,
    ),
  )

export const textGenerators = {
  po,
  markdown,
  yaml,
  properties,
  csv,
  srt,
  vtt,
  'apple-strings': apple,
  'php-array': php,
} as const
