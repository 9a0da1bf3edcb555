/** Health: what is wrong, and what to do about it. */
import { useParams } from 'wouter'
import { Tabs } from '../../parts/page.tsx'
import { useCall } from '../../queries.ts'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { Audit } from './audit.tsx'
import { Backups } from './backups.tsx'
import { Findings } from './findings.tsx'
import { Nodes } from './nodes.tsx'
import type { Key } from './part.ts'
import { Storage } from './storage.tsx'
import { Tasks } from './tasks.tsx'

const parts = {
  findings: Findings,
  tasks: Tasks,
  nodes: Nodes,
  storage: Storage,
  audit: Audit,
  backups: Backups,
} as const
type HealthTab = keyof typeof parts
const names = Object.keys(parts) as HealthTab[]

export default function HealthPage() {
  const t = useWords<Key>('health')
  const { part } = useParams<{ part?: string }>()
  const at = names.find((name) => name === part) ?? 'findings'
  const writers = useWriters()
  // The number beside the navigation, too: there is one count of findings.
  const { data: { findings = 0, findingRules = [], atLeast = [] } = {} } = useCall('countOpen')
  useLive('listFindings')
  const tabs = names.map((name) => ({
    name,
    href: name === 'findings' ? '/health' : `/health/${name}`,
    title: t(`part.${name}`),
    ...(name === 'findings' &&
      findings > 0 && {
        count: `${writers.number(findings)}${atLeast.includes('findings') ? '+' : ''}`,
        isBad: findingRules.some(({ severity }) => severity === 'error'),
      }),
  }))
  const Shown = parts[at]
  return (
    <Shown frame={{ title: t('title'), head: <Tabs label={t('parts')} tabs={tabs} at={at} /> }} />
  )
}
