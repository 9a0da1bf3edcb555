/**
 * What the engine of a provider was asked today and this month, against its limits. Days are UTC,
 * as the hub counts them.
 */
import { Link } from 'wouter'
import { useMinute } from '../../clock.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import type { Provider } from './provider.tsx'

export function UsagePanel({ provider }: { readonly provider: Provider }) {
  const t = useWords<keyof typeof en>('providers')
  const writers = useWriters()
  const day = new Date(useMinute()).toISOString().slice(0, 10)
  const params = { providerId: provider.id }
  const today = useCall('findProviderUsage', { params, query: { since: day } })
  const month = useCall('findProviderUsage', { params, query: { since: `${day.slice(0, 7)}-01` } })
  const { charactersPerDay: perDay, charactersPerJob: perJob } = provider.limits ?? {}
  const used = today.data?.estimated ?? 0
  const limited = (count: number) =>
    perDay === undefined || today.data?.unit !== 'CHARACTERS'
      ? t(`used.${today.data?.unit ?? 'CHARACTERS'}`, { count })
      : t('usedOf', { used: writers.number(count), limit: t('used.CHARACTERS', { count: perDay }) })
  return (
    <Panel
      title={t('usage')}
      {...(perDay !== undefined && used >= perDay && { tone: 'warn' as const })}
    >
      <Shown of={month}>
        {({ unit, estimated, billed, savedByMemory, requests }) => (
          <Facts
            facts={[
              { name: t('today'), value: limited(used) },
              { name: t('thisMonth'), value: t(`used.${unit}`, { count: estimated }) },
              billed !== undefined && {
                name: t('billed'),
                value: t(`used.${unit}`, { count: billed }),
              },
              { name: t('savedByMemory'), value: t('used.CHARACTERS', { count: savedByMemory }) },
              { name: t('calls'), value: writers.number(requests) },
              perJob !== undefined && {
                name: t('mostPerJob'),
                value: t('used.CHARACTERS', { count: perJob }),
              },
            ]}
          />
        )}
      </Shown>
      <p>
        <Link href="/reports/engines">{t('usageReport')}</Link>
      </p>
    </Panel>
  )
}
