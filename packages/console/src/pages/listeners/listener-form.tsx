/**
 * Creates or changes a listener for a client: the fields depend on its type, and errors of the hub
 * are shown at their fields.
 */
import { useState } from 'react'
import type { HubFailure } from '../../hub.ts'
import { useStateWord } from '../../look/states.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type SeenListener, useListeners } from '../../parts/seen-listeners.ts'
import { useAct, usePages } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { Check, Choice, Group, Text } from './fields.tsx'
import { bodyOf, emptyForm, type Form, faultsOf, formOf, type Kind, kinds } from './form.ts'
import css from './listeners.module.css'
import { ShownSecret } from './secrets.tsx'
import { statusesOf, useListenersWords } from './words.ts'

type FormProps = { readonly seen?: SeenListener; readonly onClose: (listenerId?: string) => void }
const lists = ['listListeners', 'listProviderListeners', 'listListenerStatistics'] as const

export function ListenerForm({ seen, onClose }: FormProps) {
  const t = useListenersWords()
  const [form, fill] = useState<Form>(() => (seen ? formOf(seen) : emptyForm))
  const [isTried, tried] = useState(false)
  const set = (some: Partial<Form>) => fill({ ...form, ...some })
  const create = useAct('createListenerFor', lists)
  const createProvider = useAct('createProviderListenerFor', lists)
  const change = useAct('changeListener', lists)
  const changeProvider = useAct('changeProviderListener', lists)
  const act = [create, createProvider, change, changeProvider].find(
    ({ error, data }) => error || data,
  )
  const failure: HubFailure | null = act?.error ?? null
  const isProvider = form.kind === 'provider'
  const faults = { ...(isTried && faultsOf(form, t)), ...refusedAt(failure) }
  const owners = useOwners()
  const providers = usePages('listProviders', {}, { enabled: isProvider })
  const send = () => {
    tried(true)
    if (Object.keys(faultsOf(form, t)).length > 0) return
    const body = bodyOf(form)
    if (seen) {
      const params = { listenerId: seen.listenerId }
      if (isProvider)
        changeProvider.mutate({ params, body: body.provider }, { onSuccess: () => onClose() })
      else change.mutate({ params, body: body.connector }, { onSuccess: () => onClose() })
    } else if (isProvider)
      createProvider.mutate({ params: { clientId: form.client }, body: body.provider })
    else create.mutate({ params: { clientId: form.client }, body: body.connector })
  }
  const made = create.data ?? createProvider.data
  if (made)
    return <ShownSecret secret={made.secret ?? ''} onClose={() => onClose(made.listenerId)} />
  const placed = Object.keys(refusedAt(failure)).length > 0
  return (
    <Dialog
      title={seen ? t('changeTitle') : t('createTitle')}
      onClose={() => onClose()}
      act={seen ? t('save') : t('create')}
      busy={[create, createProvider, change, changeProvider].some(({ isPending }) => isPending)}
      failure={placed ? null : failure}
      onAct={send}
    >
      {!seen && (
        <>
          <Choice
            name={t('kind')}
            value={form.kind}
            fault={faults.type}
            options={kinds.map((kind) => [kind, t(`kind.${kind}`)] as const)}
            onSet={(kind) => set({ kind: kind as Kind, statuses: [], taskStatuses: [] })}
          />
          <Text
            name={t('owner')}
            value={form.client}
            fault={faults.client}
            list={owners}
            onSet={(client) => set({ client })}
            first
          />
        </>
      )}
      {isProvider ? (
        <>
          <Text
            name={t('jobUrl')}
            value={form.uri}
            fault={faults.jobUri ?? faults.uri}
            kind="url"
            onSet={(uri) => set({ uri })}
          />
          <Statuses
            name={t('jobStatuses')}
            all={statusesOf.job}
            chosen={form.statuses}
            onSet={(statuses) => set({ statuses })}
          />
          <Text
            name={t('taskUrl')}
            value={form.taskUri}
            fault={faults.assetTaskUri}
            kind="url"
            onSet={(taskUri) => set({ taskUri })}
          />
          <Statuses
            name={t('taskStatuses')}
            all={statusesOf.assetTask}
            chosen={form.taskStatuses}
            onSet={(taskStatuses) => set({ taskStatuses })}
          />
          <Choice
            name={t('provider')}
            value={form.providerId}
            fault={faults.providerId}
            options={[
              ['', t('allProviders')],
              ...providers.items.map(({ id, name }) => [id, name] as const),
            ]}
            onSet={(providerId) => set({ providerId })}
          />
        </>
      ) : (
        <>
          <Text
            name={t('url')}
            value={form.uri}
            fault={faults.uri}
            kind="url"
            onSet={(uri) => set({ uri })}
          />
          <Statuses
            name={t('statuses')}
            all={statusesOf[form.kind]}
            chosen={form.statuses}
            onSet={(statuses) => set({ statuses })}
          />
          <Text
            name={t('onlyJob')}
            value={form.jobId}
            fault={faults.jobId}
            onSet={(jobId) => set({ jobId })}
          />
          {form.jobId.trim() === '' && <p className={css.wide}>{t('wideForm')}</p>}
          {form.kind === 'REQUEST_STATUS_UPDATED' && (
            <Check
              name={t('acknowledge')}
              value={form.acknowledge}
              onSet={(acknowledge) => set({ acknowledge })}
            />
          )}
        </>
      )}
      <Check name={t('sign')} value={form.sign} onSet={(sign) => set({ sign })} />
    </Dialog>
  )
}

type Code = (typeof statusesOf)[keyof typeof statusesOf][number]
type StatusesProps = {
  readonly name: string
  readonly all: readonly Code[]
  readonly chosen: readonly string[]
  readonly onSet: (chosen: string[]) => void
}

function Statuses({ name, all, chosen, onSet }: StatusesProps) {
  const t = useListenersWords()
  const word = useStateWord()
  return (
    <Group name={name} says={t('noneMeansAll')}>
      {all.map((code) => (
        <Check
          key={code}
          name={code === 'SENDING_READY_FOR_RETRIEVE' ? t('ready') : word(code)}
          value={chosen.includes(code)}
          onSet={(on) => onSet(on ? [...chosen, code] : chosen.filter((one) => one !== code))}
        />
      ))}
    </Group>
  )
}

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

/** The errors of the hub, by field. */
function refusedAt(failure: HubFailure | null): Record<string, string> {
  if (!failure) return {}
  const named = fieldOf[failure.code]
  if (named) return { [named]: failure.message }
  return Object.fromEntries(
    (failure.details ?? []).map(({ path, message }) => [path.split(/[.[]/)[0] ?? '', message]),
  )
}
