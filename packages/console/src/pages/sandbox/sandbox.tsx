/**
 * The sandbox controls: time, faults, calls, certification, seed and reset. Each control shows its
 * command.
 */
import { ButtonLink } from '../../parts/controls.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useSession } from '../../session.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'
import { CertifyPanel } from './certify-panel.tsx'
import { ClockPanel } from './clock-panel.tsx'
import { FaultsPanel } from './faults-panel.tsx'
import { LiveCalls } from './live-calls.tsx'
import css from './sandbox.module.css'
import { SeedPanel } from './seed-panel.tsx'

export default function SandboxPage() {
  const t = useWords<keyof typeof en>('sandbox')
  const { profile } = useSession()
  if (profile !== 'sandbox')
    return (
      <Page title={t('title')}>
        <Empty glyph="sandbox" title={t('onlySandbox')}>
          <p>{t('onlySandboxBody', { profile })}</p>
          <ButtonLink href="/">{t('toJobs')}</ButtonLink>
        </Empty>
      </Page>
    )
  return (
    <Page title={t('title')}>
      <div className={css.cockpit}>
        <ClockPanel />
        <div className={css.columns}>
          <div className={css.column}>
            <FaultsPanel />
            <SeedPanel />
          </div>
          <div className={css.column}>
            <LiveCalls />
            <CertifyPanel />
          </div>
        </div>
      </div>
    </Page>
  )
}
