/** Sandbox. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/sandbox.json'
import { useWords } from '../../words/words.ts'

export default function SandboxPage() {
  const t = useWords<keyof typeof en>('sandbox')
  return <Page title={t('title')}>{null}</Page>
}
