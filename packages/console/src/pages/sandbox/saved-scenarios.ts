/** Named sets of faults, to arm them again: stored in this browser. */
import { useState } from 'react'
import { storeChoice, storedChoice } from '../../stored-choices.ts'
import type { Fault } from './sandbox-calls.ts'

export type Saved = { readonly name: string; readonly faults: readonly object[] }

const place = 'scenarios'

function read(): Saved[] {
  try {
    const found = JSON.parse(storedChoice(place) ?? '[]') as Saved[]
    return found.filter(({ name, faults }) => typeof name === 'string' && Array.isArray(faults))
  } catch {
    return []
  }
}

/** The input that arms the fault again, as often as it was armed. */
export const bodyOf = ({
  scenario,
  times,
  every,
  client,
  jobId,
  provider,
  label,
  seconds,
  by,
}: Fault): object =>
  Object.fromEntries(
    Object.entries({ scenario, times, every, client, jobId, provider, label, seconds, by }).filter(
      ([, value]) => value !== undefined,
    ),
  )

export function useSaved() {
  const [all, setAll] = useState(read)
  const write = (next: Saved[]) => {
    storeChoice(place, next.length > 0 ? JSON.stringify(next) : undefined)
    setAll(next)
  }
  return {
    all,
    save: (saved: Saved) => write([...all.filter(({ name }) => name !== saved.name), saved]),
    remove: (name: string) => write(all.filter((one) => one.name !== name)),
  }
}
