/**
 * What a finding of a check says, in the language of the reader: from its facts, or as the hub
 * wrote it where there are none.
 */
import type { CheckFinding } from '@dragoman/contract/wire'
import { useMemo } from 'react'
import type en from '../../words/en/checks.json'
import { directionOf, useLanguage, useWords, type Words } from '../../words/words.ts'

type Key = keyof typeof en
type Told = Pick<CheckFinding, 'message' | 'facts'> & { readonly check: string }
type Fact = NonNullable<CheckFinding['facts']>[number]

export function useSentence(): (finding: Told) => string {
  const t = useWords<Key>('checks')
  const language = useLanguage()
  return useMemo(() => {
    const locale = language.slice(0, 2)
    const write = (check: string, fact: Fact) => {
      const key = `${check}.${fact.says}` as Key
      const text = t(key, valuesOf(check, fact, t, locale))
      // A hub that is newer than this page may say more than it knows.
      return text === key ? undefined : text
    }
    return ({ check, message, facts = [] }) => {
      const texts = facts.map((fact) => write(check, fact))
      return texts.length === 0 || texts.includes(undefined) ? message : texts.join(' ')
    }
  }, [t, language])
}

/**
 * What the fix of a finding does, such as "Use 30"; undefined where the check has no words of its
 * own for it.
 */
export function useFixWords(): (finding: Told) => string | undefined {
  const t = useWords<Key>('checks')
  const locale = useLanguage().slice(0, 2)
  return ({ check, facts: [fact] = [] }) => {
    const key = `fix.${check}` as Key
    const text = fact && t(key, valuesOf(check, fact, t, locale))
    return text === key ? undefined : text
  }
}

function valuesOf(
  check: string,
  fact: Fact,
  t: Words<Key>,
  locale: string,
): Record<string, string | number> {
  const isOr = check === 'terms'
  const list = new Intl.ListFormat(locale, { type: isOr ? 'disjunction' : 'conjunction' })
  const values = Object.entries(fact).map(([name, value]): [string, string | number] => {
    if (typeof value === 'number') return [name, value]
    if (Array.isArray(value)) {
      const rest = Number(fact.count ?? 0) - value.length
      const shown = value.map((one) => (isOr ? `"${apart(one, locale)}"` : apart(one, locale)))
      return [name, list.format(rest > 0 ? [...shown, t('more', { count: rest })] : shown)]
    }
    const isMark = check === 'punctuation' && (name === 'mark' || name === 'found')
    return [name, isMark ? t(`mark.${value}` as Key) : apart(value, locale)]
  })
  return Object.fromEntries(values)
}

/** Isolates a text whose direction may differ, so that it does not move the words around it. */
const apart = (text: string, locale: string): string =>
  directionOf(locale) === 'rtl' || /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text)
    ? `\u2068${text}\u2069`
    : text
