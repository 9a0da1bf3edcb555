/** Who did what to which thing: the audit log, by filter, and as a file. */
import { ActInspector, AuditList } from '../../parts/audit/audit-list.tsx'
import { ExportAudit } from '../../parts/audit/export-audit.tsx'
import { Page } from '../../parts/page.tsx'
import type { PartProps } from './part.ts'

export const Audit = ({ frame }: PartProps) => (
  <Page {...frame} fills acts={<ExportAudit />} inspector={<ActInspector />}>
    <AuditList />
  </Page>
)
