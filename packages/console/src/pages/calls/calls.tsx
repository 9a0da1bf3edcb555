/** Calls. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/calls.json'
import { useWords } from '../../words/words.ts'

export default function CallsPage() {
  const t = useWords<keyof typeof en>('calls')
  return <Page title={t('title')}>{null}</Page>
}
