/** Deliveries. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/deliveries.json'
import { useWords } from '../../words/words.ts'

export default function DeliveriesPage() {
  const t = useWords<keyof typeof en>('deliveries')
  return <Page title={t('title')}>{null}</Page>
}
