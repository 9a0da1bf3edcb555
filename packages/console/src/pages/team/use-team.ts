/** The work of one provider as its list shows it, and what may be done with it. */
import { useMemo } from 'react'
import { hubNow } from '../../clock.ts'
import type { CallAnswer, CallInput } from '../../hub.ts'
import { type Pages, usePages } from '../../queries.ts'
import type { Search } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import type en from '../../words/en/team.json'
import { localOf, timeOf } from '../../zone.ts'

export type Key = keyof typeof en
export type Row = CallAnswer<'listProviderWork'>['work'][number]
export type View = 'RUNNING' | 'DELIVERED'
export const views = ['RUNNING', 'DELIVERED'] as const

/** What is read again after work changed hands. */
export const changes = ['listProviderWork', 'listWork', 'countOpen', 'listWorkPeople'] as const

/** What is typed in a segment is no event of its own; so the list is read again in between. */
const readAgainMs = 10_000

type Team = {
  readonly view: View
  readonly month: string
  readonly input: CallInput<'listProviderWork'>
  readonly pages: Pages<Row>
}

export const monthNow = (): string => localOf(hubNow()).slice(0, 7)

/** From the first moment of a month to that of the next, in the person's zone. */
function spanOf(month: string): { readonly since: string; readonly until: string } {
  const [year = 2000, number = 1] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  return { since: timeOf(`${month}-01T00:00`), until: timeOf(`${next}-01T00:00`) }
}

export function useTeam(providerId: string | undefined, search: Search): Team {
  const { view: asked, month: given, language, person } = search
  const view: View = asked === 'delivered' ? 'DELIVERED' : 'RUNNING'
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(given ?? '') ? (given ?? '') : monthNow()
  const input = useMemo(
    (): CallInput<'listProviderWork'> => ({
      params: { providerId: providerId ?? '' },
      query: {
        ...(view === 'DELIVERED'
          ? { state: ['DELIVERED'], ...spanOf(month) }
          : { state: ['OPEN', 'RUNNING', 'REJECTED'] }),
        ...(language && { language }),
        ...(person && { personId: person }),
      },
    }),
    [providerId, view, month, language, person],
  )
  const pages = usePages('listProviderWork', input, {
    enabled: providerId !== undefined,
    refetchInterval: view === 'RUNNING' ? readAgainMs : false,
  })
  useLive('listProviderWork')
  return { view, month, input, pages }
}

/** Providers whose work people do. */
export const isOfPeople = ({ typeId }: { readonly typeId: string }): boolean =>
  typeId === 'manual' || typeId === 'api'

/** Who has it, each with the words of their part. */
export const holdersOf = ({ assignee, shares, words }: Row) =>
  shares?.map((share) => ({ ...share, words: share.words })) ??
  (assignee ? [{ ...assignee, words: words?.total ?? 0 }] : [])

export const useSelf = (): string => useSession().person.personId
