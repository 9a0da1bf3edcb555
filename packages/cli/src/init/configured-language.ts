/**
 * The language that a project writes its texts in, as its own configuration names it: Hugo, Rails,
 * next-intl, i18next and others each have a key for it.
 */
import { join } from 'node:path'
import { readHead } from '../files/configuration.ts'
import { isLanguageName } from './language-names.ts'

/** The language, and the file that names it. */
export type Configured = { readonly language: string; readonly file: string }

type Place = { readonly file: RegExp; readonly keys: readonly string[] }

const ofScripts = ['defaultLocale', 'sourceLocale', 'fallbackLocale', 'fallbackLng']

/** In this order: the first that names a language counts. */
const places: readonly Place[] = [
  {
    file: /^(?:config\/_default\/)?(?:hugo|config)\.(?:toml|ya?ml|json)$/,
    keys: ['defaultContentLanguage'],
  },
  { file: /^config\/(?:application|environments\/\w{1,40})\.rb$/, keys: ['default_locale'] },
  { file: /^(?:lib\/)?l10n\.ya?ml$/, keys: ['template-arb-file'] },
  { file: /^config\/app\.php$/, keys: ['locale'] },
  { file: /^config\/packages\/(?:translation|framework)\.ya?ml$/, keys: ['default_locale'] },
  { file: /(?:^|\/)settings(?:\/base)?\.py$/, keys: ['LANGUAGE_CODE'] },
  { file: /^angular\.json$/, keys: ['sourceLocale'] },
  {
    file: /^[\w-]{1,40}(?:\.config)?\.(?:js|ts|mjs|cjs|mts)$/,
    keys: [...ofScripts, 'defaultLanguage'],
  },
  {
    file: /(?:^|\/)(?:i18n|routing|i18next|lingui|settings|middleware|config)(?:\/index)?\.(?:js|ts|mjs|jsx|tsx)$/,
    keys: ofScripts,
  },
]

/** Enough places for any project, and few enough to read. */
const mostRead = 200

export async function configuredLanguage(
  root: string,
  paths: readonly string[],
): Promise<Configured | undefined> {
  let read = 0
  for (const { file, keys } of places)
    for (const path of paths) {
      if (!file.test(path) || read >= mostRead) continue
      read += 1
      const language = languageIn(await readHead(join(root, path)), keys)
      if (language !== undefined) return { language, file: path }
    }
  return undefined
}

function languageIn(text: string, keys: readonly string[]): string | undefined {
  for (const line of text.split(/\r\n|\r|\n/))
    for (const key of keys) {
      const found = namedOn(line, key)
      if (found !== undefined && isLanguageName(found)) return found
    }
  return undefined
}

/** `defaultLocale: 'de'`, `config.i18n.default_locale = :de`, `"sourceLocale": "de"`. */
function namedOn(line: string, key: string): string | undefined {
  const at = line.indexOf(key)
  if (at < 0 || /[\w-]/.test(line.charAt(at - 1)) || /^\s{0,20}(?:#|\/\/)/.test(line))
    return undefined
  const [, value] =
    /^["']?\s{0,8}(?:=>|[=:])\s{0,8}\[?["':]?([\w.-]{1,80})/.exec(line.slice(at + key.length)) ?? []
  // Of `app_de.arb`, the language.
  return value?.replace(/\.arb$/, '').replace(/^app_|^intl_/, '')
}
