/** Jobs. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/jobs.json'
import { useWords } from '../../words/words.ts'

export default function JobsPage() {
  const t = useWords<keyof typeof en>('jobs')
  return <Page title={t('title')}>{null}</Page>
}
