/**
 * Creates or changes a listener for a client: the fields depend on its type, and errors of the hub
 * are shown at their fields.
 */
import { useStateWord } from '../../look/states.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, ChoiceField, Group, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { type SeenListener, useListeners } from '../../parts/seen-listeners.ts'
import { useAct, usePages } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { emptyForm, faultsOf, formOf, type Kind, kinds, namesOf } from './form.ts'
import css from './listeners.module.css'
import { ShownSecret } from './secrets.tsx'
import { type Key, statusesOf, useListenersWords } from './words.ts'

type FormProps = { readonly seen?: SeenListener; readonly onClose: (listenerId?: string) => void }
const lists = ['listListeners', 'listProviderListeners', 'listListenerStatistics'] as const

export function ListenerForm({ seen, onClose }: FormProps) {
  const t = useListenersWords()
  const word = useStateWord()
  const create = useAct('createListenerFor', lists)
  const createProvider = useAct('createProviderListenerFor', lists)
  const change = useAct('changeListener', lists)
  const changeProvider = useAct('changeProviderListener', lists)
  const form = useForm(
    'createListenerFor',
    () => (seen ? formOf(seen) : emptyForm),
    [create, createProvider, change, changeProvider],
    { check: (values) => faultsOf(values, t), fieldOf },
  )
  const { kind, client } = form.values
  const isProvider = kind === 'provider'
  const owners = useOwners()
  const providers = usePages('listProviders', {}, { enabled: isProvider })
  const send = () => {
    if (!form.isRight()) return
    const named = namesOf(form.values)
    const connector = form.body(named.connector)
    const provider = form.body(named.provider, 'createProviderListenerFor')
    const ofClient = { clientId: client }
    if (seen) {
      const params = { listenerId: seen.listenerId }
      const then = { onSuccess: () => onClose() }
      if (isProvider) changeProvider.mutate({ params, body: provider }, then)
      else change.mutate({ params, body: connector }, then)
    } else if (isProvider) createProvider.mutate({ params: ofClient, body: provider })
    else create.mutate({ params: ofClient, body: connector })
  }
  const made = create.data ?? createProvider.data
  if (made)
    return <ShownSecret secret={made.secret ?? ''} onClose={() => onClose(made.listenerId)} />
  const url = { mono: true, maxLength: 2_000, inputMode: 'url', placeholder: 'https://' } as const
  const statuses = (name: 'statuses' | 'taskStatuses', title: Key, all: readonly Code[]) => (
    <Group legend={t(title)}>
      <div className={css.checks}>
        {all.map((code) => (
          <CheckField
            key={code}
            label={code === 'SENDING_READY_FOR_RETRIEVE' ? t('ready') : word(code)}
            {...form.one(name, code)}
          />
        ))}
      </div>
      <p className="meta dim">{t('noneMeansAll')}</p>
    </Group>
  )
  return (
    <Dialog
      title={seen ? t('changeTitle') : t('createTitle')}
      onClose={() => onClose()}
      act={seen ? t('save') : t('create')}
      {...form.dialog}
      onAct={send}
    >
      {!seen && (
        <>
          <ChoiceField
            label={t('kind')}
            choices={kinds.map((one) => ({ value: one, title: t(`kind.${one}`) }))}
            value={kind}
            fault={form.faults.get('type')}
            onChange={(one) => form.set({ kind: one as Kind, statuses: [], taskStatuses: [] })}
          />
          <TextField
            label={t('owner')}
            mono
            autoFocus
            suggestions={owners}
            {...form.plain('client')}
          />
        </>
      )}
      {isProvider ? (
        <>
          <TextField
            label={t('jobUrl')}
            {...url}
            {...form.plain('uri')}
            fault={form.faults.get('jobUri') ?? form.faults.get('uri')}
          />
          {statuses('statuses', 'jobStatuses', statusesOf.job)}
          <TextField label={t('taskUrl')} {...url} {...form.plain('assetTaskUri')} />
          {statuses('taskStatuses', 'taskStatuses', statusesOf.assetTask)}
          <ChoiceField
            label={t('provider')}
            choices={[
              { value: '', title: t('allProviders') },
              ...providers.items.map(({ id, name }) => ({ value: id, title: name })),
            ]}
            {...form.plain('providerId')}
          />
        </>
      ) : (
        <>
          <TextField label={t('url')} {...url} {...form.plain('uri')} />
          {statuses('statuses', 'statuses', statusesOf[kind])}
          <TextField label={t('onlyJob')} mono {...form.plain('jobId')} />
          {form.values.jobId.trim() === '' && <p className={css.wide}>{t('wideForm')}</p>}
          {kind === 'REQUEST_STATUS_UPDATED' && (
            <CheckField label={t('acknowledge')} {...form.flag('acknowledge')} />
          )}
        </>
      )}
      <CheckField label={t('sign')} {...form.flag('sign')} />
    </Dialog>
  )
}

type Code = (typeof statusesOf)[keyof typeof statusesOf][number]

/**
 * The possible owners: all clients if the person may see them, otherwise those that already own a
 * listener.
 */
function useOwners(): string[] {
  const mayList = useMay()
  const clients = usePages('listClients', {}, { enabled: mayList })
  const listeners = useListeners()
  const known = [
    ...clients.items.map(({ clientId }) => clientId),
    ...listeners.items.map(({ clientId }) => clientId),
  ]
  return [...new Set(known.filter((clientId) => clientId !== undefined))].sort()
}

const fieldOf: Readonly<Record<string, string>> = {
  CLIENT_NOT_FOUND: 'client',
  LISTENER_EXISTS: 'type',
  LISTENER_URI_FORBIDDEN: 'uri',
  JOB_NOT_FOUND: 'jobId',
  PROVIDER_NOT_FOUND: 'providerId',
}
