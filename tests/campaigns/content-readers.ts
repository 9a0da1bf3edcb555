/** The readers of content: files, fields, memories, responses of engines, and the words in them. */

import { openLanguageJudge } from '../../packages/server/src/domain/engines/drivers/answer-language.ts'
import {
  countContent,
  pairContents,
} from '../../packages/server/src/domain/jobs/requests/segments-of.ts'
import { readTmx } from '../../packages/server/src/domain/language/memory/read-tmx.ts'
import { compose } from '../../packages/text/src/characters/compose.ts'
import { countText } from '../../packages/text/src/counting/count-words.ts'
import { decode } from '../../packages/text/src/formats/charset.ts'
import { decodeXml } from '../../packages/text/src/likeness/decode-xml.ts'
import { likenessOf } from '../../packages/text/src/likeness/likeness.ts'
import { eachProbe, signatureOf, unitKeys } from '../../packages/text/src/likeness/pieces.ts'
import { facetsOf, plainSource, tokensOf } from '../../packages/text/src/likeness/tokens.ts'
import { cutRuns, fromMarkers, toMarkers } from '../../packages/text/src/placeholders/markers.ts'
import { buildParts } from '../../packages/text/src/placeholders/parts.ts'
import { protect } from '../../packages/text/src/placeholders/protect.ts'
import { pseudoNamedFile } from '../../packages/text/src/pseudo/pseudo-file.ts'
import { pseudoString } from '../../packages/text/src/pseudo/pseudo-text.ts'
import type { Read } from './growth.ts'
import {
  alone,
  around,
  blanks,
  bytesOf,
  escaped,
  inField,
  marks,
  markup,
  messages,
  piecesOf,
  quoted,
  type Reader,
  type Wrap,
} from './hostile-texts.ts'

/** Reads it, and writes it with every text changed. */
const translated =
  (fileName: string): Read =>
  (text) => {
    const bytes = bytesOf(text)
    return pseudoNamedFile(fileName, bytes, 'de')
  }
async function drain(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pieces);
}
function travel(text: string, style: 'xml' | 'brackets'): void {
  for (const { parts } of cutRuns(buildParts([{ text }], alone, { newlines: true }), 'icu'))
    fromMarkers(toMarkers(parts, style), parts, style)
}
function probe(text: string): void {
  const tokens = tokensOf(text)
  unitKeys(tokens)
  signatureOf(tokens)
  eachProbe(
    tokens,
    tokens.map(() => 1),
    () => {},
  )
}

const inUnit = around(
  '<xliff version="1.2"><file source-language="en"><body><trans-unit id="1">',
  '</trans-unit></body></file></xliff>',
)
const inSource1: Wrap = (inner) => inUnit(`<source>${inner}</source>`)
const inUnit2 = around(
  '<xliff version="2.0" srcLang="en"><file id="f"><unit id="1">',
  '</unit></file></xliff>',
)
const inSource2: Wrap = (inner) => inUnit2(`<segment><source>${inner}</source></segment>`)
const inSeg = around(
  '<tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>',
  '</seg></tuv><tuv xml:lang="de"><seg>x</seg></tuv></tu></body></tmx>',
)
const answered = buildParts([{ text: 'a {b} <b>c</b> %s d' }], alone)

export const contentReaders: readonly Reader[] = [
  {
    name: 'protected texts',
    read: (text) => protect(text, { newlines: true, hash: true }),
    hostile: [
      ...messages,
      ...markup,
      '{',
      '{{',
      '%(a',
      '%1$',
      'http://((',
      'www.',
      'a@',
      'a@b.',
      '#',
      '\n',
      '%%',
      '⟦1⟧',
    ],
  },
  {
    name: 'fields, pseudo-translated',
    read: pseudoString,
    hostile: [...messages, ...marks, ...blanks, 'a'],
  },
  {
    name: 'fields, counted',
    read: (text) => countContent({ fields: [{ key: 'a', value: text }] }),
    hostile: [...messages, ...marks, ...blanks],
  },
  {
    name: 'fields, paired',
    read: (text) =>
      pairContents(
        { fields: [{ key: 'a', value: text }] },
        { fields: [{ key: 'a', value: text }] },
      ),
    hostile: [...messages, ...marks],
  },
  {
    name: 'HTML',
    read: translated('a.html'),
    hostile: [
      ...markup,
      '<p translate=no>',
      '<p class="',
      '<script>',
      '&amp',
      '&nbsp',
      '<g id="1">a</g>',
      '⟦1⟧',
      '<img alt="a">b ',
      '<a <a title="b">c</a>',
      ...blanks,
    ],
    inside: [
      alone,
      around('<p>', '</p>'),
      around('<p ', '>x</p>'),
      around('<p title="', '">x</p>'),
      around('<p>x<a ', ' title="y">x</a></p>'),
      around('<!--', '-->x'),
      escaped(around('<p>')),
    ],
  },
  {
    name: 'XHTML',
    read: translated('a.xhtml'),
    hostile: [...markup, '<script/>', '<br/>'],
    inside: [around('<?xml version="1.0"?><p>', '</p>'), around('<?xml version="1.0"?><p ', '/>')],
  },
  {
    name: 'XML',
    read: translated('a.xml'),
    hostile: [
      ...markup,
      '<a>',
      '<a/>',
      '<![CDATA[]]>',
      '<![CDATA[x]]>y',
      ']]>',
      '<?a?>',
      'a="b" ',
      '&#32;',
      ...blanks,
    ],
    inside: [
      alone,
      around('<a>', '</a>'),
      around('<a ', '>x</a>'),
      around('<a b="', '">x</a>'),
      around('<a><!--', '--></a>'),
      around('<a><![CDATA[', ']]></a>'),
      around('<!DOCTYPE a [', ']><a>x</a>'),
      around('<?xml ', '?><a>x</a>'),
      escaped(around('<a>', '</a>')),
    ],
  },
  {
    name: 'XLIFF 1.2',
    read: translated('a.xlf'),
    hostile: [
      '<mrk mtype="seg">',
      '<mrk mtype="seg" mid="1">a</mrk>',
      '<g id="1">a</g>',
      '<ph>x</ph>',
      '<target/>',
      ...markup,
    ],
    inside: [
      inSource1,
      escaped(inSource1),
      inUnit,
      (inner) => inUnit(`<source>a</source><seg-source>${inner}</seg-source>`),
      around('<xliff version="1.2" ', '/>'),
      around('<xliff version="1.2"><file><body>', '</body></file></xliff>'),
    ],
  },
  {
    name: 'XLIFF 2',
    read: translated('a.xlf'),
    hostile: [
      '<pc id="1">a</pc>',
      '<segment><source>a</source></segment>',
      '<segment/>',
      '<group/>',
      ...markup,
    ],
    inside: [
      inSource2,
      escaped(inSource2),
      inUnit2,
      around('<xliff version="2.0"><file>', '</file></xliff>'),
    ],
  },
  {
    name: 'JSON',
    read: translated('a.json'),
    hostile: [
      '[',
      '{"a":',
      '"',
      '\\',
      '\\n',
      '\\\\n',
      '\\"',
      '"a",',
      '"a":"b",',
      '/*',
      '//',
      '\\u0041',
      '\\ud800',
      ...blanks,
    ],
    inside: [
      alone,
      quoted,
      around('["', '"]'),
      around('{"', '":"x"}'),
      around('[', ']'),
      around('/*', '*/["a"]'),
    ],
  },
  {
    name: 'plain text',
    read: translated('a.txt'),
    hostile: [...messages, ...blanks, 'a\n', ' a \r\n', '\u00a0x'],
  },
  {
    name: 'gettext catalogues',
    read: translated('a.po'),
    hostile: [
      '"',
      '\\',
      '\\n',
      '""\n',
      'msgid "a"\nmsgstr ""\n',
      '#, fuzzy\n',
      '#~\n',
      '#',
      'msgctxt "',
      ...blanks,
    ],
    inside: [
      alone,
      around('msgid "a', '"\nmsgstr ""\n'),
      around('msgid ""\n', '"a"\nmsgstr ""\n'),
      around('msgid ""\nmsgstr "', '"\n\nmsgid "a"\nmsgstr ""\n'),
      around('msgid "a"\nmsgid_plural "', '"\nmsgstr[0] ""\nmsgstr[1] ""\n'),
    ],
  },
  {
    name: 'Java properties',
    read: translated('a.properties'),
    hostile: [
      '\\',
      '\\\n',
      '\\u00e9',
      "'",
      "''",
      "'{",
      '{0}',
      'a=b\n',
      '=',
      ':',
      '#',
      '\r',
      ...blanks,
    ],
    inside: [alone, around('a='), around('a={0} ')],
  },
  {
    name: 'Apple strings',
    read: translated('a.strings'),
    hostile: ['"', '\\', '\\U00e9', '/*', '/**/', '//', '"a"="b";', 'a', '=', ';', '\n', ...blanks],
    inside: [alone, around('"a" = "', '";'), around('/*', '*/"a" = "b";'), around('"', '" = "x";')],
  },
  {
    name: 'YAML',
    read: translated('a.yml'),
    hostile: [
      '[',
      '- ',
      'a: ',
      '"',
      "'",
      '\\',
      '\n',
      '\n\n',
      '#',
      '*a ',
      '&a ',
      '!',
      'a: b\n',
      '- a\n',
      '  a\n',
      '1:0',
      '_',
      ...blanks,
    ],
    inside: [
      alone,
      around('a: '),
      around('a: "', '"'),
      around("a: '", "'"),
      around('a: |\n  '),
      around('a: >\n  '),
      around('a: [', ']'),
      around('en:\n  a: '),
    ],
  },
  {
    name: 'PHP arrays',
    read: translated('a.php'),
    hostile: [
      "'",
      '"',
      '\\',
      '[',
      'array(',
      '=>',
      "'a'=>'b',",
      '/*',
      '//',
      '#',
      '<<<A',
      '$',
      '{$',
      'a',
      '(',
      ')',
      ...blanks,
    ],
    inside: [
      alone,
      around('<?php return [', ']'),
      around('<?php // ', "\nreturn ['a' => 'b']"),
      around('<?php ', "return ['a' => 'b']"),
      around("<?php return ['a' => '", "']"),
      around('<?php return ["', '"]'),
    ],
  },
  {
    name: 'tables',
    read: translated('a.csv'),
    hostile: ['"', '""', '\\"', ',', '"a",', 'a\n', '"a"b,', ';', '\t', '=', '\r', ...blanks],
    inside: [alone, around('a\n'), around('a,b\n"', '"\n'), around('sep=', '\na')],
  },
  {
    name: 'SRT',
    read: translated('a.srt'),
    hostile: [
      '\n',
      '😀 \n',
      'a\n',
      '-->',
      '-->\na\n\n',
      '<',
      '{\\',
      '{\\a}',
      '-a\n',
      '漢',
      '<i>',
      'a b ',
      ...blanks,
    ],
    inside: [alone, around('1\n00:00 --> 00:01\n')],
  },
  {
    name: 'WebVTT',
    read: translated('a.vtt'),
    hostile: ['<', '<v a>', '</v>', '&amp;', '&', '<1>', 'NOTE\n\n', '\n', 'a b ', ...blanks],
    inside: [around('WEBVTT\n\n00:00 --> 00:01\n'), around('WEBVTT ')],
  },
  {
    name: 'Markdown',
    read: translated('a.md'),
    hostile: [
      '`',
      '<!--',
      '``a`',
      '[a](',
      '[',
      '![',
      '*a ',
      '**a*',
      '_a_',
      '<a ',
      '<a@b',
      '> ',
      '- ',
      'a|',
      '\\',
      'a\n',
      'a  \n',
      'a\\\n',
      ':::\n',
      '[a]: b\n',
      'www.',
      '_www.',
      '\n\n',
      ...blanks,
    ],
    inside: [
      alone,
      around('a '),
      around('# '),
      around('- '),
      around('|a|\n|-|\n|', '|'),
      around('---\ntitle: ', '\n---\n'),
      around('+++\ntitle = "', '"\n+++\n'),
      around('+++\ntitle = [', '# x\n]\n+++\n'),
      around('+++\n', '\n+++\n'),
      around('[a](', ')'),
      around('[a]: b\n\n'),
      around('<p>'),
    ],
  },
  {
    name: 'Android strings',
    read: translated('strings.xml'),
    hostile: [
      ...markup,
      ...messages,
      "\\'",
      '\\',
      '\\u00e9',
      '"',
      '<b>x</b>',
      '<![CDATA[x]]>',
      '@string/a',
      ...blanks,
    ],
    inside: [
      around('<resources><string name="a">', '</string></resources>'),
      around(
        '<resources><plurals name="a"><item quantity="other">',
        '</item></plurals></resources>',
      ),
    ],
  },
  {
    name: 'RESX',
    read: translated('a.resx'),
    hostile: [
      ...markup,
      ...messages,
      '<data name="a"><value>x</value></data>',
      '<![CDATA[x]]>',
      ...blanks,
    ],
    inside: [
      around('<root><resheader name="a"/>', '</root>'),
      around('<root><resheader name="a"/><data name="a"><value>', '</value></data></root>'),
    ],
  },
  {
    name: 'property lists',
    read: translated('a.stringsdict'),
    hostile: [
      ...markup,
      '<key>a</key><string>x</string>',
      '<key>other</key>',
      '<dict/>',
      '<array><true/></array>',
      ...blanks,
    ],
    inside: [
      around('<plist><dict>', '</dict></plist>'),
      around('<plist><dict><key>a</key><string>', '</string></dict></plist>'),
    ],
  },
  {
    name: 'Qt TS',
    read: translated('a.ts'),
    hostile: [
      ...markup,
      '<message><source>x</source></message>',
      '<byte value="x9"/>',
      '%1',
      '%n ',
      ...blanks,
    ],
    inside: [
      around('<TS><context><name>a</name>', '</context></TS>'),
      around('<TS><context><message><source>', '</source></message></context></TS>'),
    ],
  },
  {
    name: 'string catalogues',
    read: translated('a.xcstrings'),
    hostile: ['a', '\\"', '\\', '%@ ', '{a', '","', '":{},"'],
    inside: [around('{"sourceLanguage":"en","strings":{"', '":{}},"version":"1.0"}')],
  },
  {
    name: 'key-value files',
    read: translated('a.xml'),
    hostile: [...markup, ...messages, '<![CDATA[x]]>', '</field><field key="a">'],
    inside: [
      inField,
      escaped(inField),
      escaped(around('<content><field key="', '">x</field></content>')),
    ],
  },
  {
    name: 'charsets',
    read: (text) => decode(Buffer.from(text, 'latin1'), { fallsBack: true }),
    hostile: [
      '\xff\xfe',
      '\xfe\xff',
      '\xef\xbb\xbf',
      '\xc3',
      'a\0',
      '\0a',
      '\xed\xa0\x80',
      '\xf0\x9f',
    ],
  },
  {
    name: 'answers of engines, as XML',
    read: (text) => fromMarkers(text, answered, 'xml'),
    hostile: ['<x id="1"/>', '<g id="2">', '</g>', '<x ', '< x', '&lt;', '&#', '&', ...blanks],
  },
  {
    name: 'answers of engines, in brackets',
    read: (text) => fromMarkers(text, answered, 'brackets'),
    hostile: ['⟦1⟧', '⟦', '⟦/2⟧', '⟦1', ...blanks],
  },
  {
    name: 'the language of answers of engines',
    read: async (text) => (await openLanguageJudge('en', 'de'))(text),
    hostile: ['der ', 'the ', 'a.b ', '\u{1f600}', ...blanks],
  },
  {
    name: 'texts for engines, as XML',
    read: (text) => travel(text, 'xml'),
    hostile: [...messages, ...markup, '%s', '{}', '⟦'],
  },
  {
    name: 'texts for engines, in brackets',
    read: (text) => travel(text, 'brackets'),
    hostile: [...messages, '%s', '{}', '⟦'],
  },
  {
    name: 'TMX',
    read: (text) => drain(readTmx(piecesOf(text), { sourceLanguage: 'en', targetLanguage: 'de' })),
    hostile: [
      ...markup,
      '<tu>',
      '<tu/>',
      '<tuv xml:lang="en">',
      '<seg>',
      '<hi>x</hi>',
      'a="b" ',
      '&#65;',
      ...messages,
    ],
    inside: [
      alone,
      inSeg,
      escaped(inSeg),
      around('<tmx ', '>'),
      around('<!DOCTYPE tmx ', '>'),
      around('<tmx><!--'),
      around('<tmx><?'),
      around('<tmx version="', '">'),
      around('<tmx><body>'),
    ],
  },
  {
    name: 'charsets of TMX',
    read: (text) => drain(decodeXml(piecesOf(text))),
    hostile: ['<?xml ', 'a', '\u0300'],
  },
  {
    name: 'tokens',
    read: tokensOf,
    hostile: [...messages, ...marks, ...blanks, '0.', "a'", 'a', '0', '.', '漢', '\ud83d\ude00'],
  },
  { name: 'facets', read: facetsOf, hostile: [...messages, ...blanks, '0.', 'a.', '{}'] },
  { name: 'texts of a memory', read: plainSource, hostile: [...marks, ...blanks, '\0', '\ud800'] },
  {
    name: 'likeness',
    read: (text) =>
      likenessOf(
        { source: `${text} `, tokens: tokensOf(text) },
        { source: text, tokens: tokensOf(text) },
      ),
    hostile: ['.', 'a ', '0 ', '{} ', '漢'],
  },
  { name: 'pieces', read: probe, hostile: ['.', 'a ', '漢'] },
  {
    name: 'words',
    read: countText,
    hostile: [...marks, ...blanks, 'a', '0', '漢', 'ก', '—', '\ud83d\ude00'],
  },
  {
    name: 'composing',
    read: compose,
    hostile: [...marks, `a${'\u0315\u0300'.repeat(127)}`, '\u1112\u1161\u11ab', '\u09c7\u09be'],
  },
]
