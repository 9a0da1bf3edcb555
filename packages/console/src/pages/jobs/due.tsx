/** When a job is due. */
import type { Job } from '@dragoman/contract/wire'
import { Due as DueAt } from '../../parts/due.tsx'

const isOpen = (job: Job): boolean => job.statusCode !== 'COMPLETED' && job.statusCode !== 'CANCELLED'

export const Due = ({ job }: { readonly job: Job }) => <DueAt at={job.dueDate} isOpen={isOpen(job)} />
