/** A file whose readers compare letter by letter names its language in the usual spelling, however the connector spells its codes. */
import { expect, test } from 'vitest'
import { languageTag } from '../../packages/server/src/domain/formats/plurals/plural-forms.ts'
import { bytesOf, shout, textOf } from './cases.ts'
import { formatOf } from './laws.ts'

test.each([
  ['es-es', 'es-ES'],
  ['es_ES', 'es-ES'],
  ['ZH-hans-cn', 'zh-Hans-CN'],
  ['sr-latn', 'sr-Latn'],
  ['es-419', 'es-419'],
  ['de', 'de'],
  ['Klingon', 'Klingon'],
])('%s is spelled %s', (code, tag) => {
  expect(languageTag(code)).toBe(tag)
})

test.each([
  ['yaml', 'en:\n  a: x\n', /^es-ES:\n/],
  ['yaml', 'en_US:\n  a: x\n', /^es_ES:\n/],
  ['yaml', 'en-us:\n  a: x\n', /^es-es:\n/],
  ['arb', '{"@@locale": "en", "a": "x"}', /"@@locale": "es_ES"/],
  ['xcstrings', '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "x" : {\n\n    }\n  }\n}', /"es-ES" : /],
])('%s: %j', (id, source, names) => {
  expect(textOf(shout(formatOf(id), bytesOf(source), 'es-es'))).toMatch(names)
})
