/** Adds a client, or changes what one may do. The secret of a new client is shown once. */
import { type QuotaName, quotaNames } from '@dragoman/contract/wire'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, ChoiceField, FieldRow, Group, TextField } from '../../parts/fields.tsx'
import { numberOr } from '../../parts/form/body.ts'
import { useForm } from '../../parts/form/use-form.ts'
import { useAct, usePages } from '../../queries.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import type { Client } from './client-state.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type Key = keyof typeof en
const scopes = ['content', 'settings', 'provider', 'admin'] as const
const pageFormats = ['full', 'plain'] as const

type Props = {
  readonly client?: Client
  readonly onClose: () => void
  readonly onDone: (clientId: string) => void
}

export function ClientForm({ client, onClose, onDone }: Props) {
  const t = useWords<Key>('access')
  const providers = usePages('listProviders')
  const create = useAct('createClient', ['listClients'])
  const change = useAct('changeClient', ['listClients'])
  const form = useForm('createClient', () => startOf(client), [create, change])
  const { scopes: held, rateLimit } = form.values
  const save = () => {
    const { clientId, ...body } = form.body({
      rateLimit: rateLimit.trim() === '' ? 0 : numberOr(rateLimit),
      quotas: quotasIn(form.values, client),
    })
    if (!client) return create.mutate({ body: { ...body, clientId } })
    const params = { clientId: client.clientId }
    return change.mutate({ params, body }, { onSuccess: () => onDone(client.clientId) })
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
      {...form.dialog}
      refusal={held.length === 0 ? t('needsScope') : undefined}
      onClose={onClose}
    >
      {!client && (
        <TextField
          label={t('clientId')}
          help={t('clientIdHelp')}
          mono
          autoFocus
          {...form.text('clientId')}
        />
      )}
      <Group legend={t('scopes')}>
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            label={t(`scope.${scope}`)}
            help={t(`scopeHelp.${scope}`)}
            {...form.one('scopes', scope)}
          />
        ))}
      </Group>
      {held.includes('provider') && (
        <Group legend={t('providers')}>
          {providers.items.map(({ id, name }) => (
            <CheckField key={id} label={name} {...form.one('providers', id)} />
          ))}
        </Group>
      )}
      <TextField
        label={t('networks')}
        help={t('networksHelp')}
        mono
        rows={2}
        {...form.text('allowFrom')}
      />
      <FieldRow>
        <ChoiceField
          label={t('pageFormat')}
          choices={pageFormats.map((value) => ({ value, title: t(`page.${value}`) }))}
          {...form.plain('pageFormat')}
        />
        <TextField
          label={t('rateLimit')}
          help={t('rateLimitHelp')}
          mono
          digits
          {...form.text('rateLimit')}
        />
      </FieldRow>
      <details>
        <summary>{t('quotas')}</summary>
        <FieldRow>
          {quotaNames.map((name) => (
            <TextField
              key={name}
              label={name}
              mono
              digits
              placeholder={t('usual')}
              {...form.text(`quotas.${name}`)}
            />
          ))}
        </FieldRow>
      </details>
    </Dialog>
  )
}

type Quotas = Readonly<Record<`quotas.${QuotaName}`, string>>

function startOf(client: Client | undefined) {
  const quotas = quotaNames.map((name) => [`quotas.${name}`, String(client?.quotas[name] ?? '')])
  return {
    clientId: client?.clientId ?? '',
    scopes: (client?.scopes ?? ['content']) as readonly string[],
    providers: (client?.providers ?? []) as readonly string[],
    pageFormat: client?.pageFormat ?? ('full' as string),
    allowFrom: client?.allowFrom.join('\n') ?? '',
    rateLimit: String(client?.rateLimit ?? ''),
    ...(Object.fromEntries(quotas) as Quotas),
  }
}

/** Those that were changed; an empty one is the usual again. */
const quotasIn = (values: Quotas, client: Client | undefined) =>
  Object.fromEntries(
    quotaNames.flatMap((name) => {
      const text = values[`quotas.${name}`]
      if (text === String(client?.quotas[name] ?? '')) return []
      return [[name, text.trim() === '' ? null : numberOr(text)]]
    }),
  )
