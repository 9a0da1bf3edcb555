/** Who may use the hub: clients, people, their sessions; and the audit log. */
import { useParams } from 'wouter'
import { AuditPage } from '../../parts/audit/audit-list.tsx'
import { Tabs } from '../../parts/page.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { Clients } from './clients.tsx'
import { People } from './people.tsx'
import { Sessions } from './sessions.tsx'

const parts = ['clients', 'people', 'sessions', 'audit'] as const

export default function AccessPage() {
  const t = useWords<keyof typeof en>('access')
  const { part: asked } = useParams<{ part?: string }>()
  const part = parts.find((one) => one === asked) ?? 'clients'
  const tabs = (
    <Tabs
      label={t('title')}
      at={part}
      tabs={parts.map((name) => ({ name, href: `/access/${name}`, title: t(name) }))}
    />
  )
  if (part === 'clients') return <Clients tabs={tabs} />
  if (part === 'people') return <People tabs={tabs} />
  if (part === 'sessions') return <Sessions tabs={tabs} />
  return <AuditPage title={t('title')} head={tabs} />
}
