/** Access. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'

export default function AccessPage() {
  const t = useWords<keyof typeof en>('access')
  return <Page title={t('title')}>{null}</Page>
}
