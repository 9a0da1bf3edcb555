/** Whether a client works: enabled, disabled, or with a secret that expires soon. */
import { useNow } from '../../clock.ts'
import type { CallAnswer } from '../../hub.ts'
import { Pill } from '../../look/states.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'

type Key = keyof typeof en
export type Client = CallAnswer<'findClient'>

const soonMs = 14 * 24 * 3_600_000

/** Whether its newest secret expires within two weeks, with none to follow it. */
export function endsSoon({ secrets }: Client, now: number): string | undefined {
  const [newest] = secrets
  const ends = newest?.expiryDate
  return ends !== undefined && Date.parse(ends) - now < soonMs ? ends : undefined
}

/** Disabled, a secret that expires soon, or nothing to report. */
export function ClientState({ client }: { readonly client: Client }) {
  const t = useWords<Key>('access')
  const now = useNow()
  if (client.disabled)
    return (
      <Pill look="cancelled" glyph="cancelled">
        {t('disabled')}
      </Pill>
    )
  const ends = endsSoon(client, now)
  if (ends)
    return (
      <Pill look="review" glyph="clock">
        {t('endsSoon')}
      </Pill>
    )
  return (
    <Pill look="approved" glyph="approved">
      {t('enabled')}
    </Pill>
  )
}
