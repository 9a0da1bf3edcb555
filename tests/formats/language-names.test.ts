/**
 * A file whose readers compare letter by letter names its language in the usual spelling, however
 * the connector spells its codes.
 */
import { expect, test } from 'vitest'
import { languageTag } from '../../packages/text/src/plurals/plural-forms.ts'
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
  [
    'xcstrings',
    '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "x" : {\n\n    }\n  }\n}',
    /"es-ES" : /,
  ],
])('%s: %j', (id, source, names) => {
  expect(textOf(shout(formatOf(id), bytesOf(source), 'es-es'))).toMatch(names)
})

/** By the options of a job, which `dragoman push` fills in from the table of the project. */
test.each([
  ['yaml', 'en:\n  a: x\n', 'es', /^es:\n/],
  ['yaml', 'en-US:\n  a: x\n', 'es', /^es:\n/],
  ['yaml', 'en:\n  a: x\n', 'no', /^"no":\n/],
  [
    'po',
    'msgid ""\nmsgstr ""\n"Language: en\\n"\n\nmsgid "x"\nmsgstr ""\n',
    'es',
    /"Language: es\\n"/,
  ],
  ['po', 'msgid "x"\nmsgstr ""\n', 'zh-Hant', /"Language: zh_TW\\n"/],
  ['arb', '{"@@locale": "en", "a": "x"}', 'es', /"@@locale": "es"/],
  ['html', '<html lang="en"><p>x</p></html>', 'es', /<html lang="es">/],
  [
    'xcstrings',
    '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "x" : {\n\n    }\n  }\n}',
    'es',
    /"es" : /,
  ],
])('%s: %j with the name %s', (id, source, name, names) => {
  const languages = { names: [{ language: 'es-ES', name }] }
  expect(textOf(shout(formatOf(id), bytesOf(source), 'es-es', { languages }))).toMatch(names)
  expect(textOf(shout(formatOf(id), bytesOf(source), 'fr-FR', { languages }))).not.toMatch(names)
})
