/**
 * The pages of the documentation that match, by its own search, and the way to all that it finds.
 * The search and what it reads are loaded once, when they are first needed.
 */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { prefix } from '../../page-facts.ts'
import type en from '../../words/en/palette.json'
import { useWords } from '../../words/words.ts'
import type { Entry } from './palette-entries.ts'

const shown = ['Guides', 'Calls', 'Errors', 'Settings']
const ofEach = 3
const most = 6

export function useDocPages(text: string): readonly Entry[] {
  const t = useWords<keyof typeof en>('palette')
  const enabled = text.length > 2
  const { data: find } = useQuery({
    queryKey: ['docs'],
    queryFn: async () => (await import('../../docs/find-pages.ts')).loadFind(prefix),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const groups = enabled && find ? find(text) : []
    const pages = groups
      .filter(({ kind }) => shown.includes(kind))
      .flatMap(({ found }) => found.slice(0, ofEach))
    const entries = pages.slice(0, most).map(
      ({ title, line, path }): Entry => ({
        group: 'docPages',
        id: path,
        glyph: 'file',
        title,
        kind: line.length > 60 ? `${line.slice(0, 60)}…` : line,
        act: () => location.assign(prefix + path),
      }),
    )
    if (groups.length === 0) return []
    const all: Entry = {
      group: 'docPages',
      id: 'all',
      glyph: 'find',
      title: t('searchDocs', { text }),
      act: () => location.assign(`${prefix}/docs?q=${encodeURIComponent(text)}`),
    }
    return [...entries, all]
  }, [enabled, find, text, t])
}
