/**
 * The current site; for a person with roles in several, a menu of them. Switching reloads the page,
 * so that nothing of the other site stays.
 */
import { useRef } from 'react'
import { useKeys } from '../keys.ts'
import { chooseSite, useSession } from '../session.tsx'
import type en from '../words/en/shell.json'
import { useWords } from '../words/words.ts'
import { Menu } from './menu.tsx'
import css from './site-switch.module.css'

export function SiteSwitch() {
  const t = useWords<keyof typeof en>('shell')
  const { siteId, sites } = useSession()
  const frame = useRef<HTMLSpanElement>(null)
  const several = sites.filter((one) => one.siteId !== '')
  const others = several.filter((one) => one.siteId !== siteId)
  const isMenu = several.length > 1
  const open = () => frame.current?.querySelector('button')?.click()
  useKeys([
    ...(isMenu ? [{ keys: 'g i', says: t('switchSite'), act: open }] : []),
    ...others.map((one) => ({
      keys: '',
      says: t('toSite', { site: one.siteId }),
      act: () => chooseSite(one.siteId),
    })),
  ])
  const name = siteId === '' ? t('wholeHub') : siteId
  if (!isMenu)
    return (
      <span className={css.site} title={siteId === '' ? undefined : t('site', { site: siteId })}>
        <bdi>{name}</bdi>
      </span>
    )
  return (
    <span ref={frame} className={css.menu}>
      <Menu
        label={t('switchSite')}
        glyph="down"
        items={several.map((one) => ({
          name: one.siteId,
          title: <bdi>{one.siteId}</bdi>,
          act: () => chooseSite(one.siteId),
          ...(one.siteId === siteId && { refusal: t('here') }),
        }))}
      >
        <bdi className={css.name}>{name}</bdi>
      </Menu>
    </span>
  )
}
