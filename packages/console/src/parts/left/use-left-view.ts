/**
 * How far a part of a page is scrolled, and which link of it has the focus, for Back. Lists with
 * rows do this by row.
 */
import { type RefObject, useEffect } from 'react'
import { leave, leftOn, useEntry } from '../../left.ts'

type LeftView = { readonly top: number; readonly link?: string | undefined }

export function useLeftView(name: string, frame: RefObject<HTMLElement | null>): void {
  const entry = useEntry()
  useEffect(() => {
    const part = frame.current
    if (!part) return
    const before = leftOn<LeftView>(entry, name)
    let here: LeftView = before ?? { top: part.scrollTop, link: linkOf(document.activeElement) }
    let isBack = before !== undefined && returns(part, before)
    const note = (some: Partial<LeftView>): void => {
      here = { ...here, ...some }
      leave(name, here)
    }
    const onScroll = (event: Event): void => {
      if (event.target === part && !isBack) note({ top: part.scrollTop })
    }
    const onFocus = ({ target }: FocusEvent): void => {
      if (!isBack) note({ link: linkOf(target) })
    }
    // What a page shows may come late. Whoever does something meanwhile stays where they are.
    const changes = new MutationObserver(() => {
      if (isBack && before) isBack = returns(part, before)
      if (!isBack) changes.disconnect()
    })
    if (isBack)
      changes.observe(part, { childList: true, subtree: true, attributeFilter: ['style'] })
    else if (before === undefined) note({})
    const stop = (): void => {
      isBack = false
      changes.disconnect()
    }
    part.addEventListener('scroll', onScroll)
    part.addEventListener('focusin', onFocus)
    for (const act of acts) document.addEventListener(act, stop, { once: true })
    return () => {
      stop()
      part.removeEventListener('scroll', onScroll)
      part.removeEventListener('focusin', onFocus)
      for (const act of acts) document.removeEventListener(act, stop)
    }
  }, [entry, name, frame])
}

const acts = ['pointerdown', 'keydown', 'wheel'] as const

/** The link that has the focus, unless it is in a row. */
function linkOf(target: EventTarget | null): string | undefined {
  const link = (target as HTMLElement | null)?.closest?.('a[href]')
  return link && !link.closest('[role=row]') ? (link.getAttribute('href') ?? undefined) : undefined
}

/** Goes as far back as what is shown allows; returns whether something is still missing. */
function returns(part: HTMLElement, { top, link }: LeftView): boolean {
  part.scrollTop = top
  const isFree = document.activeElement === document.body || document.activeElement === null
  const found =
    link === undefined || !isFree
      ? undefined
      : part.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)
  found?.focus({ preventScroll: true })
  return Math.abs(part.scrollTop - top) > 1 || (link !== undefined && isFree && !found)
}
