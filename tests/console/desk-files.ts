/**
 * A small file of each format with the same three texts: a plain one, one with a placeholder of the
 * format, and one more.
 */
import { type FormatId, formatIds, formatRows } from '@dragoman/contract/wire'
import { docxOf, pptxOf, xlsxOf } from '../formats/office-samples.ts'
import { pack } from '../formats/pack.ts'

type Texts = readonly [first: string, hole: string, last: string]
type Made = {
  readonly name: string
  readonly hole?: string
  readonly of: (texts: Texts) => string | Uint8Array
}
export type DeskFile = {
  readonly id: string
  readonly name: string
  readonly file: string | Uint8Array
}
type Segmented = Exclude<FormatId, 'tmx' | 'tbx'>

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n'
const plist = `${xml}<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n`
const lines = (texts: readonly string[], line: (text: string, at: number) => string): string =>
  texts.map((text, at) => `${line(text, at)}\n`).join('')
const json = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, at) => [`k${at}`, text]))

const made: Readonly<Record<Segmented, Made>> = {
  android: {
    name: 'strings.xml',
    hole: '%1$s',
    of: (texts) =>
      `${xml}<resources>\n${lines(texts, (text, at) => `<string name="k${at}">${text}</string>`)}</resources>\n`,
  },
  resx: {
    name: 'Messages.resx',
    hole: '{0}',
    of: (texts) =>
      `${xml}<root>\n<resheader name="resmimetype"><value>text/microsoft-resx</value></resheader>\n${lines(texts, (text, at) => `<data name="k${at}" xml:space="preserve"><value>${text}</value></data>`)}</root>\n`,
  },
  stringsdict: {
    name: 'Localizable.stringsdict',
    hole: '%d',
    of: ([format, one, other]) =>
      `${plist}<plist version="1.0">\n<dict>\n<key>ships</key>\n<dict>\n<key>NSStringLocalizedFormatKey</key>\n<string>${format} %#@ships@</string>\n<key>ships</key>\n<dict>\n<key>NSStringFormatSpecTypeKey</key>\n<string>NSStringPluralRuleType</string>\n<key>NSStringFormatValueTypeKey</key>\n<string>d</string>\n<key>one</key>\n<string>${one}</string>\n<key>other</key>\n<string>${other}</string>\n</dict>\n</dict>\n</dict>\n</plist>\n`,
  },
  'apple-plist': {
    name: 'Info.strings',
    hole: '%@',
    of: (texts) =>
      `${plist}<plist version="1.0">\n<dict>\n${lines(texts, (text, at) => `<key>k${at}</key>\n<string>${text}</string>`)}</dict>\n</plist>\n`,
  },
  arb: {
    name: 'app_en.arb',
    of: (texts) => JSON.stringify({ '@@locale': 'en', ...json(texts) }, undefined, 2),
  },
  xcstrings: {
    name: 'Localizable.xcstrings',
    hole: '%@',
    of: (texts) =>
      JSON.stringify({
        sourceLanguage: 'en',
        strings: Object.fromEntries(texts.map((text) => [text, {}])),
        version: '1.0',
      }),
  },
  json: { name: 'messages.json', of: (texts) => JSON.stringify(json(texts), undefined, 2) },
  yaml: { name: 'shop.yml', of: (texts) => lines(texts, (text, at) => `k${at}: "${text}"`) },
  properties: {
    name: 'shop.properties',
    hole: '{0}',
    of: (texts) => lines(texts, (text, at) => `k${at}=${text}`),
  },
  'php-array': {
    name: 'shop.php',
    hole: ':name',
    of: (texts) =>
      `<?php\nreturn [\n${lines(texts, (text, at) => `    'k${at}' => '${text}',`)}];\n`,
  },
  'apple-strings': {
    name: 'Shop.strings',
    hole: '%@',
    of: (texts) => lines(texts, (text, at) => `"k${at}" = "${text}";`),
  },
  'xliff-1.2': {
    name: 'units.xlf',
    hole: '<x id="1"/>',
    of: (texts) =>
      `${xml}<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" datatype="plaintext"><body>\n${lines(texts, (text, at) => `<trans-unit id="${at}"><source>${text}</source></trans-unit>`)}</body></file></xliff>\n`,
  },
  'xliff-2': {
    name: 'units.xliff',
    hole: '<ph id="1"/>',
    of: (texts) =>
      `${xml}<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en"><file id="f">\n${lines(texts, (text, at) => `<unit id="u${at}"><segment><source>${text}</source></segment></unit>`)}</file></xliff>\n`,
  },
  po: {
    name: 'shop.po',
    hole: '%s',
    of: (texts) =>
      `msgid ""\nmsgstr ""\n"Language: de\\n"\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n\n${lines(texts, (text) => `#, c-format\nmsgid "${text}"\nmsgstr ""\n`)}`,
  },
  'qt-ts': {
    name: 'harbour.ts',
    hole: '%1',
    of: (texts) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="xx_XX" sourcelanguage="en">\n<context>\n<name>Main</name>\n${lines(texts, (text) => `<message><source>${text}</source><translation type="unfinished"></translation></message>`)}</context>\n</TS>\n`,
  },
  text: { name: 'note.txt', of: (texts) => texts.join('\n\n') },
  html: {
    name: 'page.html',
    hole: '<br>',
    of: (texts) =>
      `<!doctype html>\n<html lang="en">\n<body>\n${lines(texts, (text) => `<p>${text}</p>`)}</body>\n</html>\n`,
  },
  markdown: { name: 'guide.md', hole: '`name`', of: (texts) => `# ${texts.join('\n\n')}\n` },
  csv: {
    name: 'products.csv',
    of: (texts) => `id,name\n${lines(texts, (text, at) => `${at},${text}`)}`,
  },
  srt: {
    name: 'film.srt',
    hole: '<i>',
    of: (texts) =>
      lines(texts, (text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`),
  },
  vtt: {
    name: 'film.vtt',
    of: (texts) =>
      `WEBVTT\n\n${lines(texts, (text, at) => `00:0${at}.000 --> 00:0${at}.900\n${text}\n`)}`,
  },
  'key-value': {
    name: 'fields.xml',
    of: (texts) =>
      `${xml}<content>${texts.map((text, at) => `<field key="k${at}">${text}</field>`).join('')}</content>`,
  },
  xml: {
    name: 'catalogue.xml',
    of: (texts) =>
      `${xml}<catalogue>\n${lines(texts, (text) => `<item>${text}</item>`)}</catalogue>\n`,
  },
  docx: {
    name: 'offer.docx',
    of: (texts) => docxOf(texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')),
  },
  xlsx: {
    name: 'prices.xlsx',
    of: (texts) => xlsxOf(texts.map((text) => `<si><t>${text}</t></si>`).join('')),
  },
  pptx: {
    name: 'plan.pptx',
    of: (texts) => pptxOf(texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')),
  },
  zip: {
    name: 'all.zip',
    of: ([first, hole, last]) =>
      pack([
        { name: 'notes/one.txt', content: `${first}\n` },
        { name: 'two.json', content: JSON.stringify({ a: hole, b: last }) },
        { name: 'logo.png', content: 'PNG' },
      ]),
  },
}

/**
 * The name of a format in letters, so that each file has texts of its own and none has a number.
 */
const wordOf = (id: string): string => id.replace(/[^a-z]/g, (sign) => (sign === '2' ? 'two' : ''))

export const deskFiles: readonly DeskFile[] = formatIds
  .filter((id): id is Segmented => !('advice' in formatRows[id]))
  .map((id) => {
    const { name, hole = '{name}', of } = made[id]
    const word = wordOf(id)
    return {
      id,
      name,
      file: of([
        `Welcome to the garden of ${word}`,
        `Dear ${hole} in ${word}`,
        `Thank you for ${word}`,
      ]),
    }
  })
