/**
 * The words of a file are the words of its texts: no key, tag, comment or escape is counted,
 * whatever the format.
 */
import { type FormatId, formatIds, formatRows } from '@dragoman/contract/wire'
import { expect, test } from 'vitest'
import { countText, weightedWords } from '../../packages/text/src/counting/count-words.ts'
import { countFileWords } from '../../packages/text/src/public/words.ts'
import { bytesOf } from './cases.ts'
import { docxOf, pptxOf, xlsxOf } from './office-samples.ts'
import { pack } from './pack.ts'

const texts = [
  'The quick brown fox',
  'Two words',
  'A state-of-the-art pump of 32.3 litres — or less',
  '今天去北京 café',
]
const each = (make: (text: string, at: number) => string, between = '\n'): string =>
  texts.map(make).join(between)
const xml = (tag: string) => each((text, at) => `<${tag} name="key of ${at}">${text}</${tag}>`)

const files: Readonly<Partial<Record<FormatId, string | Uint8Array>>> = {
  text: each((text) => text),
  html: `<!-- no word --><script>not this</script>${each((text) => `<p class="none of it">${text}</p>`)}`,
  xml: `<doc note="not counted">${xml('p')}</doc>`,
  'key-value': `<content>${each((text, at) => `<field key="a ${at}">${text}</field>`)}</content>`,
  json: `{${each((text, at) => `"some key ${at}": "${text}", "n${at}": 5`, ',')}}`,
  yaml: `# a comment\nen:\n${each((text, at) => `  key_${at}: "${text}"`)}\n`,
  properties: `# a comment\n${each((text, at) => `a.key.${at} = ${text}`)}\n`,
  'php-array': `<?php // a comment\nreturn [${each((text, at) => `'some key ${at}' => '${text}'`, ',')}];`,
  'apple-strings': each((text, at) => `/* a comment */ "some key ${at}" = "${text}";`),
  'apple-plist': `<plist version="1.0"><dict>${each((text, at) => `<key>some key ${at}</key><string>${text}</string>`)}</dict></plist>`,
  stringsdict: `<plist version="1.0"><dict><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>${each(
    (text, at) => `<key>${['zero', 'one', 'two', 'other'][at]}</key><string>${text}</string>`,
  )}</dict></dict></dict></plist>`,
  android: `<resources>${xml('string')}</resources>`,
  resx: `<root><resheader name="version"><value>2.0</value></resheader>${each((text, at) => `<data name="A${at}" xml:space="preserve"><value>${text}</value><comment>not counted</comment></data>`)}</root>`,
  arb: `{"@@locale": "en", ${each((text, at) => `"k${at}": "${text}", "@k${at}": {"description": "not counted"}`, ',')}}`,
  xcstrings: `{"sourceLanguage": "en", "strings": {${each((text) => `"${text}": {"comment": "not counted"}`, ',')}}}`,
  po: each((text, at) => `# a comment\n#: file:${at}\nmsgid "${text}"\nmsgstr ""\n`),
  'qt-ts': `<TS version="2.1"><context><name>not counted</name>${each((text) => `<message><source>${text}</source><comment>nor this</comment><translation type="unfinished"></translation></message>`)}</context></TS>`,
  'xliff-1.2': `<xliff version="1.2"><file source-language="en"><body>${each((text, at) => `<trans-unit id="${at}"><source>${text}</source><note>not counted</note></trans-unit>`)}</body></file></xliff>`,
  'xliff-2': `<xliff version="2.0" srcLang="en"><file id="f">${each((text, at) => `<unit id="${at}"><segment><source>${text}</source></segment></unit>`)}</file></xliff>`,
  markdown: `\`\`\`\nnot counted\n\`\`\`\n\n${each((text) => `- **${text}**`)}\n`,
  csv: `not,counted\n${each((text, at) => `${at},"${text}"`)}\n`,
  srt: each(
    (text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},900\n${text.replace(' ', '\n')}\n`,
  ),
  vtt: `WEBVTT\n\nNOTE not counted\n\n${each((text, at) => `00:0${at}.000 --> 00:0${at}.900\n<v Fred>${text}</v>\n`)}`,
  docx: docxOf(each((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`, '')),
  xlsx: xlsxOf(each((text) => `<si><t>${text}</t></si>`, '')),
  pptx: pptxOf(each((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`, '')),
  zip: pack([
    { name: 'one two three.txt', content: texts.slice(0, 2).join('\n') },
    { name: 'b.json', content: JSON.stringify(texts.slice(2)) },
  ]),
}

const facts = ['words', 'ideographs', 'unspaced', 'characters', 'numbers'] as const
const counts = texts.map(countText)
const sum = (of: (one: (typeof counts)[number]) => number): number =>
  counts.reduce((all, one) => all + of(one), 0)

test.each(formatIds.filter((id) => !('advice' in formatRows[id])))('%s', (format) => {
  const given = files[format] ?? ''
  const bytes = typeof given === 'string' ? bytesOf(given) : given
  const counted = countFileWords('a', bytes, { format })
  expect(facts.map((fact) => counted[fact])).toEqual(
    facts.map((fact) => sum(fact === 'words' ? weightedWords : (one) => one[fact])),
  )
})
