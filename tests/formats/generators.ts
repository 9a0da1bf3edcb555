/**
 * A generator of files for each format of the table: what a sender could write, and what nobody
 * would.
 */
import type { FormatId } from '@dragoman/contract/wire'
import fc from 'fast-check'
import { appGenerators } from './app-generators.ts'
import { textGenerators } from './text-generators.ts'
import { escaped, sentence, words } from './words.ts'

const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    escaped,
    fc.constantFrom(
      '<x id="1"/>',
      '<ph id="2">&lt;p&gt;</ph>',
      '<!-- c -->',
      '&#169;',
      '&#x2014;',
      '<?p i?>',
    ),
    fc.tuple(tie('inline'), tie('inline')).map(([one, other]) => `${one}<g id="3">${other}</g>`),
  ),
}))
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc.oneof(
    { depthSize: 'small' },
    escaped,
    fc.constantFrom(
      '<![CDATA[a <b>c</b> & d]]>',
      '<!-- c -->',
      '<e/>',
      '\r\n  ',
      '&#160;',
      '<t a=">">x</t>',
    ),
    fc.array(tie('element'), { maxLength: 4 }).map((all) => `<p>${all.join('')}</p>`),
  ),
}))
const htmlBits = fc.array(
  fc.oneof(
    escaped,
    words,
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<i class=x>',
      '</i>',
      '<br>',
      '<script>',
      '</script>',
    ),
  ),
  { maxLength: 12 },
)
const jsonText = fc
  .tuple(
    fc.jsonValue({ stringUnit: 'grapheme' }),
    fc.dictionary(sentence, sentence),
    fc.constantFrom(0, 2, '\t'),
  )
  .map(([any, plain, indent]) =>
    JSON.stringify({ any, plain, list: [sentence.toString(), plain] }, null, indent),
  )
const unit = fc.tuple(inline, fc.option(inline)).map(([source, held]) => ({ source, held }))
const xliff1 = fc.array(unit, { maxLength: 5 }).map((units) => {
  const inside = units.map(({ source, held }, at) => {
    const found = held === null ? '' : `<target>${held}</target>`
    return `<trans-unit id="${at % 3}">\n <source>${source}</source>${found}</trans-unit>`
  })
  return `<xliff version="1.2"><file source-language="en"><body>${inside.join('\n')}</body></file></xliff>`
})
const xliff2 = fc.array(unit, { maxLength: 5 }).map((units) => {
  const inside = units.map(({ source, held }) => {
    const found = held === null ? '' : `<target>${held}</target>`
    return `<segment>\n\t<source>${source.replaceAll('<g ', '<pc ').replaceAll('</g>', '</pc>')}</source>${found}</segment>`
  })
  return `<xliff version="2.1" srcLang="en"><file id="f"><unit id="u">${inside.join('')}</unit></file></xliff>`
})

export const generators: Readonly<
  Record<Exclude<FormatId, 'tmx' | 'tbx' | 'docx' | 'xlsx' | 'pptx' | 'zip'>, fc.Arbitrary<string>>
> = {
  text: fc
    .array(sentence)
    .chain((all) => fc.constantFrom('\n', '\r\n', '\r').map((end) => all.join(end))),
  html: htmlBits.map((bits) => bits.join('')),
  xml: fc.array(element).map((all) => `<root>${all.join('')}</root>`),
  'key-value': fc
    .array(inline)
    .map(
      (all) =>
        `<content>${all.map((x, at) => `<field key="${at % 4}">${x}</field>`).join('')}</content>`,
    ),
  json: jsonText,
  'xliff-1.2': xliff1,
  'xliff-2': xliff2,
  ...textGenerators,
  ...appGenerators,
}
