/** Me. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'

export default function MePage() {
  const t = useWords<keyof typeof en>('me')
  return <Page title={t('title')}>{null}</Page>
}
