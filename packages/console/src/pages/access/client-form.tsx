/** Adds a client, or changes what one may do. The secret of a new client is shown once. */
import { type QuotaName, quotaNames } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import {
  CheckField,
  ChoiceField,
  FieldRow,
  faultsOf,
  Group,
  TextField,
} from '../../parts/fields.tsx'
import { useAct, usePages } from '../../queries.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import type { Client } from './client-state.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type Key = keyof typeof en
const scopes = ['content', 'settings', 'provider', 'admin'] as const

type Props = {
  readonly client?: Client
  readonly onClose: () => void
  readonly onDone: (clientId: string) => void
}

export function ClientForm({ client, onClose, onDone }: Props) {
  const t = useWords<Key>('access')
  const [clientId, setClientId] = useState(client?.clientId ?? '')
  const [held, setHeld] = useState<readonly string[]>(client?.scopes ?? ['content'])
  const [owned, setOwned] = useState<readonly string[]>(client?.providers ?? [])
  const [pageFormat, setPageFormat] = useState<string>(client?.pageFormat ?? 'full')
  const [networks, setNetworks] = useState(client?.allowFrom.join('\n') ?? '')
  const [rate, setRate] = useState(String(client?.rateLimit ?? ''))
  const [quotas, setQuotas] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      Object.entries(client?.quotas ?? {}).map(([name, value]) => [name, String(value)]),
    ),
  )
  const providers = usePages('listProviders')
  const create = useAct('createClient', ['listClients'])
  const change = useAct('changeClient', ['listClients'])
  const failure = create.error ?? change.error
  const faults = faultsOf(failure)
  const toggle = (list: readonly string[], one: string, on: boolean) =>
    on ? [...list, one] : list.filter((other) => other !== one)
  const body = {
    scopes: held as Client['scopes'],
    providers: [...owned],
    pageFormat: pageFormat as Client['pageFormat'],
    allowFrom: networks.split(/[\s,]+/).filter(Boolean),
    rateLimit: rate.trim() === '' ? 0 : numberOr(rate),
    quotas: Object.fromEntries(
      quotaNames
        .filter((name) => (quotas[name] ?? '') !== String(client?.quotas[name] ?? ''))
        .map((name) => [
          name,
          (quotas[name] ?? '').trim() === '' ? null : numberOr(quotas[name] ?? ''),
        ]),
    ),
  }
  const save = () => {
    if (client)
      change.mutate(
        { params: { clientId: client.clientId }, body },
        { onSuccess: () => onDone(clientId) },
      )
    else create.mutate({ body: { ...body, clientId } })
  }
  if (create.data?.clientSecret)
    return (
      <SecretDialog
        clientId={create.data.clientId}
        secret={create.data.clientSecret}
        onClose={() => onDone(create.data.clientId)}
      />
    )
  return (
    <Dialog
      title={client ? t('changeTitle', { client: client.clientId }) : t('newClient')}
      wide
      act={t(client ? 'save' : 'addClient')}
      onAct={save}
      busy={create.isPending || change.isPending}
      refusal={held.length === 0 ? t('needsScope') : undefined}
      failure={faults.size > 0 ? null : failure}
      onClose={onClose}
    >
      {!client && (
        <TextField
          label={t('clientId')}
          help={t('clientIdHelp')}
          required
          mono
          value={clientId}
          onChange={setClientId}
          fault={faults.get('clientId')}
          autoFocus
        />
      )}
      <Group legend={t('scopes')}>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={t(`scope.${scope}`)}
            help={t(`scopeHelp.${scope}`)}
            checked={held.includes(scope)}
            onChange={(on) => setHeld(toggle(held, scope, on))}
          />
        ))}
      </Group>
      {held.includes('provider') && (
        <Group legend={t('providers')}>
          {providers.items.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={owned.includes(id)}
              onChange={(on) => setOwned(toggle(owned, id, on))}
            />
          ))}
        </Group>
      )}
      <TextField
        label={t('networks')}
        help={t('networksHelp')}
        mono
        rows={2}
        value={networks}
        onChange={setNetworks}
        fault={faultBelow(faults, 'allowFrom')}
      />
      <FieldRow>
        <ChoiceField
          label={t('pageFormat')}
          value={pageFormat}
          onChange={setPageFormat}
          choices={(['full', 'plain'] as const).map((value) => ({
            value,
            title: t(`page.${value}`),
          }))}
        />
        <TextField
          label={t('rateLimit')}
          help={t('rateLimitHelp')}
          mono
          digits
          value={rate}
          onChange={setRate}
          fault={faults.get('rateLimit')}
        />
      </FieldRow>
      <details>
        <summary>{t('quotas')}</summary>
        <FieldRow>
          {quotaNames.map((name: QuotaName) => (
            <TextField
              key={name}
              label={name}
              mono
              digits
              placeholder={t('usual')}
              value={quotas[name] ?? ''}
              onChange={(value) => setQuotas({ ...quotas, [name]: value })}
              fault={faults.get(`quotas.${name}`)}
            />
          ))}
        </FieldRow>
      </details>
    </Dialog>
  )
}

/** Text that is not a number is sent as it is, so that the hub says what is wrong. */
const numberOr = (text: string): number =>
  /^\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number)

/** The first fault of a field or of something inside it. */
const faultBelow = (faults: ReadonlyMap<string, string>, name: string): string | undefined =>
  [...faults].find(([path]) => path === name || path.startsWith(`${name}[`))?.[1]
