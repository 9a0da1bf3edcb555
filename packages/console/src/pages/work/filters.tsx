/** Only the work of one provider, or into one language; offered where there is a choice. */
import { useRef } from 'react'
import { languageKey } from '../../language-keys.ts'
import type { Search } from '../../search.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import css from './work.module.css'
import type { Work } from './works.ts'

type FiltersProps = {
  readonly search: Search
  readonly change: (some: Search) => void
  readonly items: readonly Work[]
}

export function Filters({ search, change, items }: FiltersProps) {
  const t = useWords<keyof typeof en>('work')
  const writers = useWriters()
  // All that was seen: a filter must not remove the other choices.
  const seen = useRef({
    providers: new Map<string, string>(),
    languages: new Map<string, string>(),
  })
  const { providers, languages } = seen.current
  for (const work of items) {
    providers.set(work.providerId, work.providerName)
    const { targetNativeLanguageCode: code } = work
    languages.set(languageKey(code), writers.language(code))
  }
  const selects = [
    { name: 'provider', all: t('allProviders'), label: t('provider'), choices: providers },
    { name: 'language', all: t('allLanguages'), label: t('language'), choices: languages },
  ] as const
  return selects.map(({ name, all, label, choices }) =>
    choices.size > 1 || search[name] ? (
      <select
        key={name}
        className={css.select}
        aria-label={label}
        data-filter
        value={search[name] ?? ''}
        onChange={({ target }) => change({ [name]: target.value })}
      >
        <option value="">{all}</option>
        {[...choices].map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    ) : null,
  )
}
