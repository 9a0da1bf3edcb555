/** Why something cannot be done with the job, with the names of states that the page shows. */
import type { Job } from '@dragoman/contract/wire'
import { useStateWord } from '../../look/states.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Refusal } from './acts.ts'
import type { Key } from './sentence.tsx'

export function useRefusalWords({ statusCode, archiveStatus }: Job): (refusal: Refusal) => string {
  const t = useWords<Key>('job')
  const word = useStateWord()
  const writers = useWriters()
  return (refusal) => {
    if (!('from' in refusal)) return t(`cannot.${refusal.why}`)
    const [state, states] =
      refusal.why === 'state'
        ? [word(statusCode), refusal.from.map(word)]
        : [t(`archive.${archiveStatus}`), refusal.from.map((one) => t(`archive.${one}`))]
    return t('cannot.state', {
      state,
      states: writers.either(states.map((one) => t('quoted', { state: one }))),
    })
  }
}
