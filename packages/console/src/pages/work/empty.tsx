/** Why a list is empty, and who or what can help. */
import type { ComponentProps } from 'react'
import { ButtonLink } from '../../parts/controls.tsx'
import type { List } from '../../parts/list/list.tsx'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/work.json'
import { useWords } from '../../words/words.ts'
import { useLacksProviders, type View } from './works.ts'

type Shown = readonly {
  readonly name: View
  readonly pages: { readonly items: readonly unknown[] }
}[]
const titles = { MINE: 'noMine', OPEN: 'noOpen', REVIEW: 'noReview' } as const

export function useNone(
  view: View,
  shown: Shown,
): Pick<ComponentProps<typeof List>, 'none' | 'noMatch'> {
  const t = useWords<keyof typeof en>('work')
  const { siteId } = useSession()
  if (useLacksProviders()) {
    const body = <p>{t('noProvidersBody', { site: siteId })}</p>
    return { none: { glyph: 'lock', title: t('noProviders'), body } }
  }
  const isOpenFilled = shown.some(({ name, pages }) => name === 'OPEN' && pages.items.length > 0)
  const body = (
    <>
      <p>{t(`${titles[view]}Body`)}</p>
      {view === 'MINE' && isOpenFilled && (
        <ButtonLink href="/work?view=open">{t('show', { part: t('OPEN') })}</ButtonLink>
      )}
    </>
  )
  return {
    none: { glyph: view === 'REVIEW' ? 'review' : 'work', title: t(titles[view]), body },
    noMatch: { glyph: 'filter', title: t('noMatch'), clear: t('clear') },
  }
}
