/** Generators of the formats of apps. */
import fc from 'fast-check'
import { escaped, sentence } from './words.ts'

const inAndroid = fc.oneof(
  escaped.map((text) =>
    text.replaceAll('\\', '').replace(/['"]/g, '\\$&').replace(/^[@?]/, '\\$&'),
  ),
  fc.constantFrom(
    String.raw`Don\'t \"quote\"\nnext \u00e9 \@home`,
    `"It's  quoted \u00a0"`,
    'Hello <b>bold</b> <xliff:g id="n">%1$s</xliff:g>!',
    "<![CDATA[<p>Hi \\'you\\'</p>]]>",
    'text <![CDATA[and more]]> after',
    '@string/other',
    '  folded\n     blanks ',
  ),
)
const android = fc.array(fc.tuple(inAndroid, inAndroid), { maxLength: 5 }).map((all) => {
  const inside = all.map(
    ([one, other], at) => `    <string name="s${at}">${one}</string>
    <string name="no${at}" translatable="false">${other}</string>
    <plurals name="p${at}">\n        <item quantity="one">${one}</item>\n        <item quantity="other">${other}</item>\n    </plurals>
    <string-array name="a${at}"><item>${one}</item><item>${other}</item></string-array>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<resources xmlns:xliff="u">\n${inside.join('\n')}\n</resources>\n`
})

const resx = fc.array(fc.tuple(escaped, escaped), { maxLength: 5 }).map((all) => {
  const inside = all.map(
    ([one, other], at) =>
      `  <data name="k${at % 3}" xml:space="preserve"><value>${one}</value><comment>${other}</comment></data>\n  <data name="t" type="x"><value>${other}</value></data>`,
  )
  return `<root>\n<resheader name="version"><value>2.0</value></resheader>\n${inside.join('\n')}\n</root>`
})

const plist = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n${inside}\n</plist>\n`
const applePlist = fc
  .array(fc.tuple(escaped, escaped), { maxLength: 5 })
  .map((all) =>
    plist(
      `<dict>${all.map(([one, other], at) => `<key>k${at}</key><string>${one}</string><key>l</key><array><string>${other}</string><true/></array>`).join('\n')}</dict>`,
    ),
  )
const stringsdict = fc.array(fc.tuple(escaped, escaped), { maxLength: 4 }).map((all) => {
  const inside = all.map(
    ([one, other], at) =>
      `<key>k${at}</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@ ${one}</string><key>n</key><dict>
 <key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string>
 <key>one</key><string>${one}</string>\n <key>other</key><string>${other}</string></dict></dict>`,
  )
  return plist(`<dict>${inside.join('')}</dict>`)
})

const qtTs = fc
  .array(fc.tuple(escaped, fc.option(escaped), fc.boolean()), { maxLength: 5 })
  .map((all) => {
    const inside = all.map(([source, held, isCounted]) => {
      const words =
        held === null ? '' : isCounted ? `<numerusform>${held}</numerusform><numerusform/>` : held
      const type = held === null ? ' type="unfinished"' : ''
      return `<message${isCounted ? ' numerus="yes"' : ''}>\n <source>${source}</source>\n <translation${type}>${words}</translation>\n</message>`
    })
    return `<!DOCTYPE TS>\n<TS version="2.1" language="xx"><context><name>Main</name>${inside.join('\n')}</context></TS>`
  })

const arb = fc
  .tuple(
    fc.dictionary(
      sentence.map((key) => `k${key}`),
      sentence,
    ),
    fc.constantFrom(0, 2),
  )
  .map(([all, indent]) =>
    JSON.stringify({ '@@locale': 'en', ...all, '@a': { description: 'about a' } }, null, indent),
  )

const unit = (value: string) => ({ stringUnit: { state: 'translated', value } })
const xcstrings = fc.array(fc.tuple(sentence, sentence, fc.nat(5)), { maxLength: 5 }).map((all) => {
  const strings: Record<string, unknown> = {}
  for (const [key, text, kind] of all)
    strings[`k ${key}`] = [
      {},
      { comment: text, extractionState: 'manual' },
      { localizations: { en: unit(text), fr: unit(key) } },
      {
        localizations: {
          en: { variations: { plural: { one: unit(text), other: unit(`%d ${text}`) } } },
          fr: unit('x'),
        },
      },
      { comment: text, shouldTranslate: false },
      { localizations: { 'de-DE': { stringUnit: { state: 'new', value: text } } } },
    ][kind]
  return JSON.stringify({ sourceLanguage: 'en', strings, version: '1.0' }, null, 2).replaceAll(
    '": ',
    '" : ',
  )
})

export const appGenerators = {
  android,
  resx,
  'apple-plist': applePlist,
  stringsdict,
  'qt-ts': qtTs,
  arb,
  xcstrings,
}
