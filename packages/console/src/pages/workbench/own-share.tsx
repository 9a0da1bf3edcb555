/** Whose part of a text is which: says what the person's own share is, and who has the others. */
import { useMemo } from 'react'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import css from './workbench.module.css'

export type Own = {
  /** The person has a share of the text, or all of it. */
  readonly isMine: boolean
  /** Whether they may write at this position. */
  readonly has: (position: number) => boolean
}

export function useOwn({ task }: Task, personId: string): Own {
  const { shares, assignee } = task
  return useMemo(() => {
    if (!shares?.length) {
      const isMine = assignee?.personId === personId
      return { isMine, has: () => isMine }
    }
    const own = shares.filter((share) => share.personId === personId)
    return {
      isMine: own.length > 0,
      has: (position: number) => own.some(({ from, to }) => from <= position && position <= to),
    }
  }, [shares, assignee, personId])
}

export function Shares({
  task: { task },
  personId,
}: {
  readonly task: Task
  readonly personId: string
}) {
  const t = useWords<Key>('workbench')
  const { list } = useWriters()
  if (!task.shares?.length) return null
  const said = (isOwn: boolean) =>
    (task.shares ?? [])
      .filter((share) => (share.personId === personId) === isOwn)
      .map(({ from, to, name, personId: id }) =>
        isOwn ? t('shareRange', { from, to }) : t('shareOf', { name: name ?? id, from, to }),
      )
  const [own, others] = [said(true), said(false)]
  return (
    <div className={css.notice}>
      <span>
        {own.length > 0 && <b>{t('shareOwn', { ranges: list(own) })}</b>}{' '}
        {others.length > 0 && <bdi>{list(others)}</bdi>}
      </span>
    </div>
  )
}
