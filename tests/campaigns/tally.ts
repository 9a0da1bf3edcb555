/**
 * The ledger's three counters of faults.md. A campaign notes what it saw in sentences; the sum is one line that a person
 * reads and a list that a test holds against nothing.
 */
export type Tally = {
  readonly campaign: string
  readonly rounds: number
  /** Acknowledged, and absent or other afterwards. */
  readonly lost: readonly string[]
  /** More than one effect, or two writers in one. */
  readonly doubled: readonly string[]
  /** Left behind, or more than was allowed. */
  readonly leaked: readonly string[]
  /** Figures, in the order they were noted. */
  readonly figures: readonly string[]
  readonly seconds: number
}

export type Counter = {
  round(): void
  lost(says: string): void
  doubled(says: string): void
  leaked(says: string): void
  figure(says: string): void
  end(): Tally
}

export function openTally(campaign: string): Counter {
  const begun = performance.now()
  const found = { lost: [] as string[], doubled: [] as string[], leaked: [] as string[], figures: [] as string[] }
  let rounds = 0
  return {
    round: () => {
      rounds += 1
    },
    lost: (says) => void found.lost.push(says),
    doubled: (says) => void found.doubled.push(says),
    leaked: (says) => void found.leaked.push(says),
    figure: (says) => void found.figures.push(says),
    end: () => ({ campaign, rounds, ...found, seconds: (performance.now() - begun) / 1000 }),
  }
}

export const lineOf = ({ campaign, rounds, lost, doubled, leaked, figures, seconds }: Tally): string =>
  [
    `${campaign}: ${rounds} rounds, ${lost.length} lost, ${doubled.length} doubled, ${leaked.length} leaked`,
    ...figures,
    `${seconds.toFixed(1)} s`,
  ].join(', ')

/** What was found, each with its counter; empty when all held. */
export const findingsOf = ({ lost, doubled, leaked }: Tally): string[] => [
  ...lost.map((says) => `lost: ${says}`),
  ...doubled.map((says) => `doubled: ${says}`),
  ...leaked.map((says) => `leaked: ${says}`),
]
