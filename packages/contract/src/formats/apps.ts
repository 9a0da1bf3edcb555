/** Formats of apps: the string files of Android, Apple, .NET and Flutter. */
import { megabytes, rowsOf } from './row.ts'
import { rootOf } from './xml-head.ts'

const resources =
  'string plurals string-array array integer-array color dimen style attr declare-styleable integer bool drawable item public'
const isResource = (head: string): boolean =>
  resources.split(' ').some((name) => head.includes(`<${name} `))

export const appFormats = rowsOf({
  android: {
    name: 'Android strings',
    extensions: ['xml'],
    mediaTypes: [],
    recognises: (head) => rootOf(head)?.name === 'resources' && isResource(head),
    text: 'Every `string`, and the items of `plurals` and `string-array`; missing quantities of the target language are added.',
    kept: 'Names, references such as `@string/name`, `xliff:g`, escapes, quotes, CDATA. What is `translatable="false"` is left out of the translation, as Android wants it.',
    megabytes: megabytes.flat,
  },
  resx: {
    name: 'RESX',
    extensions: ['resx', 'resw', 'xml'],
    mediaTypes: ['text/microsoft-resx'],
    recognises: (head) => rootOf(head)?.name === 'root' && /<resheader\s+name\s*=/.test(head),
    text: 'The value of every `data` element that holds text.',
    kept: 'Names, comments, typed data, and designer values with names such as `>>x` and `x.Size`.',
    megabytes: megabytes.flat,
  },
  stringsdict: {
    name: 'Apple stringsdict',
    extensions: ['stringsdict'],
    mediaTypes: [],
    recognises: (head) =>
      rootOf(head)?.name === 'plist' && head.includes('NSStringLocalizedFormatKey'),
    text: 'Formats and plural forms; missing forms of the target language are added.',
    kept: 'Keys and variable types.',
    megabytes: megabytes.flat,
  },
  'apple-plist': {
    name: 'Apple strings as a property list',
    extensions: ['strings'],
    mediaTypes: [],
    recognises: (head) => rootOf(head)?.name === 'plist',
    text: 'Every `string`.',
    kept: 'Keys, and everything that is not a `string`.',
    megabytes: megabytes.flat,
  },
  arb: {
    name: 'ARB of Flutter',
    extensions: ['arb', 'json'],
    mediaTypes: [],
    recognises: (head) => /^\ufeff?\s*\{\s*"@@(?:locale|last_modified|context)"\s*:/.test(head),
    text: 'Every message.',
    kept: 'Keys, and what `@key` says of a message; `@@locale` names the target.',
    megabytes: megabytes.flat,
  },
  xcstrings: {
    name: 'Xcode string catalogue',
    extensions: ['xcstrings', 'json'],
    mediaTypes: [],
    recognises: (head) =>
      /^\ufeff?\s*\{\s*"sourceLanguage"\s*:\s*"[^"]{1,64}"\s*,\s*"strings"\s*:/.test(head),
    text: 'Every translatable key, in the source language; the translation is added beside it, with the plural forms of the target.',
    kept: 'Other languages, comments, `shouldTranslate: false`, translations that are there, and the style of Xcode.',
    megabytes: megabytes.flat,
  },
})
