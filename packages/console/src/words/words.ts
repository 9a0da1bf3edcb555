/**
 * The texts of the console: one catalogue per page and language, words/<language>/<page>.json.
 * `loadWords` loads one; `useWords` returns the function with which a page writes its texts.
 */
import { createContext, createElement, Fragment, type ReactNode, useContext } from 'react'
import { formatMessage, type MessagePart, parseMessage, pseudo, type Values } from './messages.ts'

export const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
export type Language = (typeof languages)[number] | 'en-XA'

export const isLanguage = (text: string): text is Language =>
  text === 'en-XA' || (languages as readonly string[]).includes(text)
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  /^(ar|dv|fa|he|iw|ks|ku-arab|ps|sd|ug|ur|yi)\b/i.test(language) ? 'rtl' : 'ltr'

type Catalogue = Readonly<Record<string, string>>
const files = import.meta.glob<Catalogue>(
  ['./*/*.json', '!./*/palette.json', '!./*/parts.json', '!./*/shell.json', '!./*/states.json'],
  { import: 'default' },
)
const filesOfEveryPage = import.meta.glob<Readonly<Record<string, Catalogue>>>(
  './*/every-page.ts',
  {
    import: 'default',
  },
)
const loaded = new Map<string, Map<string, MessagePart[]>>()

const fileOf = (language: Language): string => (language === 'en-XA' ? 'en' : language)

/** Loads the texts of these pages; a page without a catalogue has none. */
export async function loadWords(language: Language, ...pages: readonly string[]): Promise<void> {
  await Promise.all(
    pages.map(async (page) => {
      if (loaded.has(`${language}/${page}`)) return
      learn(language, page, (await files[`./${fileOf(language)}/${page}.json`]?.()) ?? {})
    }),
  )
}

/** Loads the texts that every page uses. */
export async function loadEveryPage(language: Language): Promise<void> {
  const pages = (await filesOfEveryPage[`./${fileOf(language)}/every-page.ts`]?.()) ?? {}
  for (const [page, texts] of Object.entries(pages)) learn(language, page, texts)
}

function learn(language: Language, page: string, texts: Catalogue): void {
  const parts = Object.entries(texts).map(([key, text]): [string, MessagePart[]] => {
    const parsed = parseMessage(text)
    return [key, language === 'en-XA' ? pseudo(parsed) : parsed]
  })
  loaded.set(`${language}/${page}`, new Map(parts))
}

export const LanguageContext = createContext<Language>('en')
export const useLanguage = (): Language => useContext(LanguageContext)

type RichValues = Readonly<Record<string, string | number | ((inside: ReactNode) => ReactNode)>>
export type Words<Key extends string> = {
  (key: Key, values?: Values): string
  /** With elements: `t.rich('late', { count, b: (inside) => <b>{inside}</b> })`. */
  rich(key: Key, values: RichValues): ReactNode
}

const written = new Map<string, Words<string>>()

/**
 * `const t = useWords<keyof typeof en>('jobs')` with `import type en from
 * '../../words/en/jobs.json'`.
 */
export function useWords<Key extends string>(page: string): Words<Key> {
  const language = useLanguage()
  const name = `${language}/${page}`
  const words = written.get(name) ?? wordsOf(language, page)
  written.set(name, words)
  return words
}

export function wordsOf<Key extends string>(language: Language, page: string): Words<Key> {
  const find = (key: Key): MessagePart[] => loaded.get(`${language}/${page}`)?.get(key) ?? [key]
  const locale = fileOf(language)
  const write = (key: Key, values: Values = {}): string =>
    formatMessage<string>(find(key), values, locale, (_, inside) => inside.join('')).join('')
  const rich = (key: Key, values: RichValues): ReactNode => {
    const plain = Object.fromEntries(
      Object.entries(values).filter(([, value]) => typeof value !== 'function'),
    ) as Values
    const parts = formatMessage<ReactNode>(find(key), plain, locale, (tag, inside) => {
      const element = values[tag]
      const children = createElement(Fragment, null, ...inside)
      return typeof element === 'function' ? element(children) : children
    })
    return createElement(Fragment, null, ...parts)
  }
  return Object.assign(write, { rich })
}
