/** The audit log: who did what to which thing, with filters and export. */
import { AuditPage } from '../../parts/audit/audit-list.tsx'
import type { PartProps } from './part.ts'

export const Audit = ({ frame }: PartProps) => <AuditPage {...frame} />
