/** Reports. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/reports.json'
import { useWords } from '../../words/words.ts'

export default function ReportsPage() {
  const t = useWords<keyof typeof en>('reports')
  return <Page title={t('title')}>{null}</Page>
}
