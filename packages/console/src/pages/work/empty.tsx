/** Why a list is empty, and who or what can help. */
import { Button, ButtonLink } from '../../parts/controls.tsx'
import { Empty } from '../../parts/said.tsx'
import type { Search } from '../../search.ts'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { useLacksProviders, type View } from './works.ts'

type NoWorkProps = {
  readonly view: View
  readonly search: Search
  readonly change: (some: Search) => void
  readonly open: readonly {
    readonly name: View
    readonly pages: { readonly items: readonly unknown[] }
  }[]
}
const titles = { MINE: 'noMine', OPEN: 'noOpen', REVIEW: 'noReview' } as const

export function NoWork({ view, search, change, open }: NoWorkProps) {
  const t = useWords<keyof typeof en>('work')
  const { siteId } = useSession()
  const lacks = useLacksProviders()
  if (lacks)
    return (
      <Empty glyph="lock" title={t('noProviders')}>
        <p>{t('noProvidersBody', { site: siteId })}</p>
      </Empty>
    )
  if (search.provider || search.language)
    return (
      <Empty glyph="filter" title={t('noMatch')}>
        <Button onClick={() => change({ provider: undefined, language: undefined })}>
          {t('clear')}
        </Button>
      </Empty>
    )
  const other = open.find(({ name, pages }) => name === 'OPEN' && pages.items.length > 0)
  return (
    <Empty glyph={view === 'REVIEW' ? 'review' : 'work'} title={t(titles[view])}>
      <p>{t(`${titles[view]}Body`)}</p>
      {view === 'MINE' && other && (
        <ButtonLink href="/work?view=open">{t('show', { part: t('OPEN') })}</ButtonLink>
      )}
    </Empty>
  )
}
