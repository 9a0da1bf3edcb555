/** Codes. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/codes.json'
import { useWords } from '../../words/words.ts'

export default function CodesPage() {
  const t = useWords<keyof typeof en>('codes')
  return <Page title={t('title')}>{null}</Page>
}
