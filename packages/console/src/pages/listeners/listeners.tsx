/** Listeners. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/listeners.json'
import { useWords } from '../../words/words.ts'

export default function ListenersPage() {
  const t = useWords<keyof typeof en>('listeners')
  return <Page title={t('title')}>{null}</Page>
}
