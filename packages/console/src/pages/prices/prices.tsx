/** Prices. */
import { Page } from '../../parts/page.tsx'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'

export default function PricesPage() {
  const t = useWords<keyof typeof en>('prices')
  return <Page title={t('title')}>{null}</Page>
}
