/** What the parts of the page share about a provider. */
import type { CallAnswer } from '../../hub.ts'
import { Pill } from '../../look/states.tsx'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'

export type Provider = CallAnswer<'findProvider'>
export type ProviderType = CallAnswer<'findProviderType'>
export type Work = CallAnswer<'countProviderWork'>['providers'][number]

export function StatusPill({ status }: { readonly status: Provider['status'] }) {
  const t = useWords<keyof typeof en>('providers')
  const isOn = status === 'ENABLED'
  return (
    <Pill look={isOn ? 'approved' : 'cancelled'} glyph={isOn ? 'approved' : 'cancelled'}>
      {t(isOn ? 'enabled' : 'disabled')}
    </Pill>
  )
}
