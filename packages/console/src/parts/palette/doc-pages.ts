/**
 * The pages of the documentation that match, by its own search. That and its index are loaded once, when they are first needed.
 */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SearchRow } from '../../docs/find-rows.ts'
import { prefix } from '../../page-facts.ts'
import type { Entry } from './palette-entries.ts'

const shown = ['Guides', 'Calls', 'Errors', 'Settings']
const most = 6

type Find = (text: string) => readonly { readonly kind: string; readonly rows: readonly SearchRow[] }[]

async function loadFind(): Promise<Find> {
  const { findRows, prepare } = await import('../../docs/find-rows.ts')
  const answer = await fetch(`${prefix}/docs/search.json`)
  const rows = answer.ok ? ((await answer.json()) as readonly SearchRow[]) : []
  const index = prepare(rows.filter(([kind]) => shown.includes(kind)))
  return (text) => findRows(index, text)
}

export function useDocPages(text: string): readonly Entry[] {
  const enabled = text.length > 2
  const { data: find } = useQuery({
    queryKey: ['docs'],
    queryFn: loadFind,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    if (!enabled || !find) return []
    const groups = find(text)
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
  }, [enabled, find, text])
}
