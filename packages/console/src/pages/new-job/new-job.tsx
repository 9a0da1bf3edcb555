/** NewJob. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'

export default function NewJobPage() {
  const t = useWords<keyof typeof en>('new-job')
  return <Page title={t('title')}>{null}</Page>
}
