/** The pages of the documentation that match, from the index of its own search, which is read once, when it is first needed. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { findRows, prepare, type SearchRow } from '../../docs/find-rows.ts'
import { prefix } from '../../page-facts.ts'
import type { Entry } from './palette-entries.ts'

const shown = ['Guides', 'Calls', 'Errors', 'Settings']
const most = 6

async function readIndex(): Promise<readonly SearchRow[]> {
  const answer = await fetch(`${prefix}/docs/search.json`)
  return answer.ok ? ((await answer.json()) as readonly SearchRow[]) : []
}

export function useDocPages(text: string): readonly Entry[] {
  const enabled = text.length > 2
  const { data } = useQuery({ queryKey: ['docs'], queryFn: readIndex, enabled, staleTime: Number.POSITIVE_INFINITY })
  const index = useMemo(() => prepare((data ?? []).filter(([kind]) => shown.includes(kind))), [data])
  return useMemo(() => {
    if (!enabled) return []
    const groups = findRows(index, text)
    const rows = shown.flatMap((kind) => groups.find((one) => one.kind === kind)?.rows.slice(0, 3) ?? [])
    return rows.slice(0, most).map(
      ([, title, says, path]): Entry => ({
        group: 'docPages',
        id: path,
        glyph: 'file',
        title,
        kind: says.length > 60 ? `${says.slice(0, 60)}…` : says,
        act: () => location.assign(prefix + path),
      }),
    )
  }, [enabled, index, text])
}
