/** The delivery as a command that sends it, and code that verifies it, to copy. */
import type { SentDelivery } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Chip, Chips, Copy } from '../controls.tsx'
import { Code, Panel } from '../page.tsx'
import { useAttempt } from './delivery-attempts.tsx'
import { curlOf, samples } from './delivery-samples.ts'
import { useDeliveryWords } from './delivery-words.ts'

const names = ['curl', ...samples.map(({ name }) => name)] as const

export function DeliveryCode({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const [attempt] = useAttempt(delivery)
  const [name, choose] = useState<string>('curl')
  const { url, deliveryId, body = '' } = delivery
  const curl = curlOf({
    url,
    id: deliveryId,
    timestamp: attempt?.headers?.['webhook-timestamp'],
    body,
  })
  const text = samples.find((sample) => sample.name === name)?.text ?? curl
  return (
    <Panel
      title={t('codeTitle')}
      beside={
        <Copy text={curl} label={t('copyCurl')}>
          {t('copyCurl')}
        </Copy>
      }
    >
      <Chips label={t('codeLanguage')}>
        {names.map((one) => (
          <Chip key={one} pressed={one === name} onPress={() => choose(one)}>
            {one}
          </Chip>
        ))}
      </Chips>
      <p className="meta dim">{name === 'curl' ? t('curlSays') : t('codeSays')}</p>
      <Code text={text} label={name} />
      {name !== 'curl' && (
        <Copy text={text} label={t('copyCode')}>
          {t('copyCode')}
        </Copy>
      )}
    </Panel>
  )
}
