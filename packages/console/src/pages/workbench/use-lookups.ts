/**
 * What the memory and the terms know of a source text. Cached, so that going back costs nothing.
 */
import type { MemoryMatch, TextParts } from '@dragoman/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { type CallAnswer, call } from '../../hub.ts'
import { pairOf, type Task } from './task.ts'
import type { Shown } from './use-segments.ts'

const keepMs = 5 * 60_000
export type FoundTerm = CallAnswer<'lookUpTerms'>['terms'][number]
const partsOf = (text: string | TextParts): TextParts => (typeof text === 'string' ? [text] : text)

export type Match = Omit<MemoryMatch, 'source' | 'target'> & {
  readonly source: TextParts
  readonly target: TextParts
}
const matchesOf = (found: readonly MemoryMatch[]): Match[] =>
  found.map((match) => ({ ...match, source: partsOf(match.source), target: partsOf(match.target) }))

type Neighbours = {
  readonly before?: TextParts | undefined
  readonly after?: TextParts | undefined
}

export function useMatches(
  task: Task,
  segment: Shown | undefined,
  { before, after }: Neighbours,
): readonly Match[] {
  const { data } = useQuery({
    queryKey: ['deskMatches', task.at.assetTaskId, segment?.segmentId],
    enabled: segment !== undefined,
    staleTime: keepMs,
    queryFn: ({ signal }) =>
      call(
        'findMatches',
        {
          params: { providerId: task.at.providerId },
          body: {
            ...pairOf(task),
            text: segment?.source ?? [],
            tags: segment?.tags ?? [],
            ...(before && { before }),
            ...(after && { after }),
          },
        },
        { signal },
      ).then(({ matches }) => matchesOf(matches)),
  })
  return data ?? []
}

/** Units that contain the text that the person selected: the concordance. */
export function useConcordance(
  task: Task,
  text: string,
): { readonly matches: readonly Match[]; readonly isLoading: boolean } {
  const { data, isLoading } = useQuery({
    queryKey: ['deskConcordance', task.at.providerId, text],
    enabled: text !== '',
    staleTime: keepMs,
    queryFn: ({ signal }) =>
      call(
        'findMatches',
        {
          params: { providerId: task.at.providerId },
          body: { ...pairOf(task), text, contains: true, limit: 10 },
        },
        { signal },
      ).then(({ matches }) => matchesOf(matches)),
  })
  return { matches: data ?? [], isLoading }
}

export function useTerms(task: Task, segment: Shown | undefined): readonly FoundTerm[] {
  const { data } = useQuery({
    queryKey: ['deskTerms', task.at.assetTaskId, segment?.segmentId],
    enabled: segment !== undefined,
    staleTime: keepMs,
    queryFn: ({ signal }) =>
      call(
        'lookUpTerms',
        {
          params: { providerId: task.at.providerId },
          body: { ...pairOf(task), text: segment?.source ?? [] },
        },
        { signal },
      ).then(({ terms }) => terms),
  })
  return data ?? []
}
