/** Providers. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'

export default function ProvidersPage() {
  const t = useWords<keyof typeof en>('providers')
  return <Page title={t('title')}>{null}</Page>
}
