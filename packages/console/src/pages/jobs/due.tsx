/** When a job is due; the mark of a late one says what it waits for. */
import type { Job } from '@dragoman/contract/wire'
import { Due as DueAt } from '../../parts/due.tsx'
import { useWaitWords, waitsOf } from '../../parts/waits.ts'

const isOpen = (job: Job): boolean =>
  job.statusCode !== 'COMPLETED' && job.statusCode !== 'CANCELLED'

export function Due({ job }: { readonly job: Job }) {
  const words = useWaitWords()
  const why = waitsOf(job).map(words).join(' ')
  return <DueAt at={job.dueDate} isOpen={isOpen(job)} {...(why && { why })} />
}
