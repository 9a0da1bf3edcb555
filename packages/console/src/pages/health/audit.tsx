/** The audit log: who did what to which thing, with filters and export. */
import { ActInspector, AuditList } from '../../parts/audit/audit-list.tsx'
import { ExportAudit } from '../../parts/audit/export-audit.tsx'
import { Page } from '../../parts/page.tsx'
import type { PartProps } from './part.ts'

export const Audit = ({ frame }: PartProps) => (
  <Page {...frame} fills acts={<ExportAudit />} inspector={<ActInspector />}>
    <AuditList />
  </Page>
)
