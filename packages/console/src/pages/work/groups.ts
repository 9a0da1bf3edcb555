/** Marked work in groups: those of one job, or into one language for one provider. */
import { languageKey } from '../../language-keys.ts'
import type { Work } from './works.ts'

/** The rows by a name, in their order. */
export function grouped(works: readonly Work[], by: (work: Work) => string): [string, Work[]][] {
  const found = new Map<string, Work[]>()
  for (const work of works) found.set(by(work), [...(found.get(by(work)) ?? []), work])
  return [...found]
}

export type Group = {
  readonly id: string
  readonly providerId: string
  readonly language: string
  readonly works: Work[]
}

export const groupsOf = (works: readonly Work[]): Group[] =>
  grouped(
    works,
    (work) => `${work.providerId} ${languageKey(work.targetNativeLanguageCode)}`,
  ).flatMap(([id, own]) => {
    const [first] = own
    return first
      ? [
          {
            id,
            providerId: first.providerId,
            language: first.targetNativeLanguageCode,
            works: own,
          },
        ]
      : []
  })
