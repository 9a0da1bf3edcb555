/** The state of a delivery: shape first, word second, colour third. */
import type { SiteDelivery } from '@dragoman/contract/wire'
import type { GlyphName } from '../../look/glyphs.tsx'
import { Pill } from '../../look/states.tsx'
import { type DeliveryKey, useDeliveryWords } from './delivery-words.ts'

export type Standing = 'waiting' | 'retrying' | 'delivered' | 'parked'

export function standingOf({ state, tries }: Pick<SiteDelivery, 'state' | 'tries'>): Standing {
  if (state === 'DELIVERED') return 'delivered'
  if (state === 'PARKED') return 'parked'
  return tries > 0 ? 'retrying' : 'waiting'
}

const looks: Readonly<Record<Standing, readonly [look: string, glyph: GlyphName]>> = {
  waiting: ['created', 'created'],
  retrying: ['review', 'again'],
  delivered: ['approved', 'approved'],
  parked: ['rejected', 'error'],
}

export function DeliveryPill({
  delivery,
}: {
  readonly delivery: Pick<SiteDelivery, 'state' | 'tries'>
}) {
  const t = useDeliveryWords()
  const standing = standingOf(delivery)
  const [look, glyph] = looks[standing]
  return (
    <Pill look={look} glyph={glyph}>
      {t(`state.${standing}` satisfies DeliveryKey)}
    </Pill>
  )
}
