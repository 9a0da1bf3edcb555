/** Job. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/job.json'
import { useWords } from '../../words/words.ts'

export default function JobPage() {
  const t = useWords<keyof typeof en>('job')
  return <Page title={t('title')}>{null}</Page>
}
