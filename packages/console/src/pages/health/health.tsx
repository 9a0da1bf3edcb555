/** Health. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/health.json'
import { useWords } from '../../words/words.ts'

export default function HealthPage() {
  const t = useWords<keyof typeof en>('health')
  return <Page title={t('title')}>{null}</Page>
}
