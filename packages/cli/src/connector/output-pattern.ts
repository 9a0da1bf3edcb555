/**
 * Patterns such as `locales/{lang}/{rest}`: their blanks, how each is filled, and which paths a
 * pattern can produce.
 */
import { basename, dirname, extname } from 'node:path'
import { findLanguage } from '@dragoman/contract/wire'

export const usualPattern = '{lang}/{path}'
export const blanks = ['lang', 'android', 'path', 'rest', 'dir', 'name', 'ext'] as const

/** The error about an unknown blank. */
export function unknownBlank(pattern: string): string | undefined {
  const unknown = [...pattern.matchAll(/\{([^{}]*)\}/g)].find(
    ([, name]) => !blanks.some((blank) => blank === name),
  )
  return (
    unknown &&
    `${unknown[0]} is unknown in "${pattern}"; you can use ${blanks.map((one) => `{${one}}`).join(' ')}.`
  )
}

export type Blanks = { readonly lang: string; readonly path: string; readonly rest: string }

export function fillPattern(pattern: string, { lang, path, rest }: Blanks): string {
  const ext = extname(path)
  const values: Record<string, string> = {
    lang,
    android: androidOf(lang),
    path,
    rest,
    dir: dirname(path),
    name: basename(path, ext),
    ext: ext.slice(1),
  }
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Android folder names: `values-pt-rBR`, and `values-b+zh+Hant` for a script. */
export function androidOf(code: string): string {
  const [language = '', second, ...more] = code.replaceAll('_', '-').split('-')
  if (second === undefined) return language
  return second.length <= 3 && more.length === 0
    ? `${language}-r${second.toUpperCase()}`
    : `b+${[language, second, ...more].join('+')}`
}

export const fromAndroid = (code: string): string =>
  code.startsWith('b+') ? code.slice(2).replaceAll('+', '-') : code.replace('-r', '-')

type Known = {
  readonly source: string
  readonly targets: readonly string[]
  readonly languages: Readonly<Record<string, string>>
}

/**
 * Whether `pull` would write to this path: it matches the pattern, with an accepted code other than
 * the source language as {lang}. A pattern that begins with another blank matches too much: it
 * counts only with a language of the project.
 */
export function isPulled(
  pattern: string,
  { source, targets, languages }: Known,
): (path: string) => boolean {
  const isOpen = /^\.?\/?\{(?!lang)/.test(pattern)
  if (isOpen && !/\{(lang|android)\}/.test(pattern)) return () => false
  const parts: Record<string, string> = {
    lang: '([^/]{1,35})',
    android: '([^/]{1,35})',
    path: '.+',
    rest: '.+',
    dir: '.*',
    name: '[^/]+',
    ext: '[^/.]*',
  }
  const clean = pattern.replace(/^(\.\/)+/, '')
  const text = clean
    .split(/\{(\w{1,10})\}/)
    .map((part, at) => (at % 2 === 1 ? (parts[part] ?? '') : escaped(part)))
  const fits = new RegExp(`^${text.join('')}$`, 's')
  const accepted = (code: string) =>
    findLanguage(Object.hasOwn(languages, code) ? (languages[code] ?? code) : code)
  const isOwn = (code: string) =>
    !isOpen || targets.includes(code) || Object.hasOwn(languages, code)
  const isTarget = (code: string) =>
    [code, fromAndroid(code)].some(
      (one) => isOwn(one) && accepted(one) !== undefined && accepted(one) !== accepted(source),
    )
  return (path) => {
    const [found, ...codes] = fits.exec(path) ?? []
    return found !== undefined && codes.every((code) => code === undefined || isTarget(code))
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
