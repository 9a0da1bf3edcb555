/**
 * The three ledger counters of faults.md, and a fourth for attacks. A campaign records its findings
 * as sentences; the sum is one line for people and a list that a test expects to be empty.
 */
export type Tally = {
  readonly campaign: string
  readonly rounds: number
  /** Acknowledged, but missing or different afterwards. */
  readonly lost: readonly string[]
  /** More than one effect, or two writers mixed. */
  readonly doubled: readonly string[]
  /** Left behind, or more than allowed. */
  readonly leaked: readonly string[]
  /** What an attacker achieved, or learned, and must not. */
  readonly found: readonly string[]
  /** Figures, in the order they were recorded. */
  readonly figures: readonly string[]
  readonly seconds: number
}

export type Counter = {
  round(): void
  lost(says: string): void
  doubled(says: string): void
  leaked(says: string): void
  found(says: string): void
  figure(says: string): void
  end(): Tally
}

/** How a finding about the event loop begins. */
export const stalled = 'the loop was busy for'

/** Each finding also goes to `tell`, as soon as there is one. */
export function openTally(campaign: string, tell: (says: string) => void = () => {}): Counter {
  const begun = performance.now()
  const noted = {
    lost: [] as string[],
    doubled: [] as string[],
    leaked: [] as string[],
    found: [] as string[],
    figures: [] as string[],
  }
  let rounds = 0
  const note = (where: string[]) => (says: string) => {
    where.push(says)
    tell(says)
  }
  return {
    round: () => {
      rounds += 1
    },
    lost: note(noted.lost),
    doubled: note(noted.doubled),
    leaked: note(noted.leaked),
    found: note(noted.found),
    figure: (says) => void noted.figures.push(says),
    end: () => ({ campaign, rounds, ...noted, seconds: (performance.now() - begun) / 1000 }),
  }
}

export const lineOf = ({
  campaign,
  rounds,
  lost,
  doubled,
  leaked,
  found,
  figures,
  seconds,
}: Tally): string =>
  [
    `${campaign}: ${rounds} rounds, ${lost.length} lost, ${doubled.length} doubled, ${leaked.length} leaked, ${found.length} found`,
    ...figures,
    `${seconds.toFixed(1)} s`,
  ].join(', ')

/** The findings, each with its counter; empty if everything held. */
export const findingsOf = ({ lost, doubled, leaked, found }: Tally): string[] => [
  ...lost.map((says) => `lost: ${says}`),
  ...doubled.map((says) => `doubled: ${says}`),
  ...leaked.map((says) => `leaked: ${says}`),
  ...found.map((says) => `found: ${says}`),
]

/** Read by scripts/faults.mjs. */
export const noteOf = (tally: Tally) => ({
  line: lineOf(tally),
  rounds: tally.rounds,
  lost: tally.lost.length,
  doubled: tally.doubled.length,
  leaked: tally.leaked.length,
  found: tally.found.length,
})
