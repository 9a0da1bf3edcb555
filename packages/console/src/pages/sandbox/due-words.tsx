/** What falls due or has happened, in words, with a link to the thing. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import css from './sandbox.module.css'
import type { Due } from './sandbox-calls.ts'

type Key = keyof typeof en

const glyphs: Readonly<Record<Due['kind'], GlyphName>> = {
  task: 'task',
  delivery: 'delivery',
  dueDate: 'clock',
  archival: 'file',
  secret: 'key',
  token: 'access',
}
const named = [
  ...['auto-archive', 'expire-transfers', 'sweep', 'send-job', 'translate-requests', 'archive-job'],
  ...['unarchive-job', 'quote-job', 'remember-requests', 'forget-delivery-facts'],
]

export type Group = Due & { readonly many: number }

/** Adjacent entries that say the same about many jobs become one line. */
export function grouped(due: readonly Due[]): Group[] {
  const groups: Group[] = []
  for (const one of due) {
    const last = groups.at(-1)
    const isSame = last?.kind === one.kind && one.kind === 'archival'
    if (last && isSame) groups[groups.length - 1] = { ...last, many: last.many + 1 }
    else groups.push({ ...one, many: 1 })
  }
  return groups
}

export function DueWords({ due }: { readonly due: Group }) {
  const t = useWords<Key>('sandbox')
  const jobLink = (inside: ReactNode) =>
    due.jobId ? <Link href={`/jobs/${due.jobId}`}>{inside}</Link> : inside
  const job = due.jobName ?? due.jobId ?? ''
  const words = (): ReactNode => {
    switch (due.kind) {
      case 'delivery': {
        const key: Key = (due.tries ?? 0) > 0 ? 'due.retry' : 'due.delivery'
        const href = due.deliveryId
          ? `/deliveries/${due.deliveryId}`
          : `/jobs/${due.jobId}/deliveries`
        const number = due.sequence === undefined ? '' : String(due.sequence)
        return t.rich(key, { number, link: (inside) => <Link href={href}>{inside}</Link> })
      }
      case 'dueDate':
        return t.rich('due.dueDate', { job, link: (inside) => jobLink(<bdi>{inside}</bdi>) })
      case 'archival':
        return due.many > 1
          ? t('due.archivals', { count: due.many })
          : t.rich('due.archival', { job, link: (inside) => jobLink(<bdi>{inside}</bdi>) })
      case 'token':
        return t('due.token', { client: due.clientId ?? '' })
      case 'secret':
        return t('due.secret', { client: due.clientId ?? '' })
      default: {
        const name = due.name ?? ''
        const text = named.includes(name) ? t(`task.${name}` as Key) : t('task.other', { name })
        return due.jobId ? jobLink(text) : text
      }
    }
  }
  return (
    <span className={css.due}>
      <Glyph name={glyphs[due.kind]} size={14} />
      <span>{words()}</span>
      {due.ending && due.ending !== 'done' && <em>{t(`ending.${due.ending}`)}</em>}
    </span>
  )
}
