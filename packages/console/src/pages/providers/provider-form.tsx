/**
 * Creates a provider, or changes its name, config and limits. Errors of the hub are shown at their
 * fields.
 */
import { useEffect, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField, faultsOf, TextField } from '../../parts/fields.tsx'
import { Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import { ConfigFields, configOf, type Draft, draftOf, propertiesOf } from './config-fields.tsx'
import { hasLimits, type LimitDraft, LimitFields, limitDraftOf, limitsOf } from './limit-fields.tsx'
import type { Provider, ProviderType } from './provider.tsx'

type Props = {
  readonly types: readonly ProviderType[]
  readonly provider?: Provider
  readonly onClose: () => void
  readonly onDone: (providerId: string) => void
}

export function ProviderForm(props: Props) {
  return props.provider ? (
    <ChangeForm {...props} provider={props.provider} />
  ) : (
    <NewForm {...props} />
  )
}

/** A type with dialects has a schema for each: that of the dialect in the form. */
function schemaFor(
  type: ProviderType | undefined,
  draft: Draft,
): Readonly<Record<string, unknown>> {
  const { configSchema = {}, dialects = [] } = type ?? {}
  const usual = propertiesOf(configSchema).find(([name]) => name === 'dialect')?.[1].default
  return (
    dialects.find((one) => one.dialect === (draft.dialect || usual))?.configSchema ?? configSchema
  )
}

function NewForm({ types, onClose, onDone }: Props) {
  const t = useWords<keyof typeof en>('providers')
  const [typeId, setTypeId] = useState(types[0]?.typeId ?? '')
  const [name, setName] = useState('')
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [limits, setLimits] = useState<LimitDraft>(limitDraftOf())
  const act = useAct('createProvider', ['listProviders'])
  const type = types.find((one) => one.typeId === typeId)
  const draft = drafts[typeId] ?? draftOf(type?.configSchema ?? {}, {})
  const schema = schemaFor(type, draft)
  const faults = faultsOf(act.error)
  const create = () =>
    act.mutate(
      {
        body: {
          name,
          typeId,
          config: configOf(schema, draft),
          ...(hasLimits(type) && { limits: limitsOf(limits) }),
        },
      },
      { onSuccess: ({ id }) => onDone(id) },
    )
  return (
    <Dialog
      title={t('new')}
      wide
      act={t('create')}
      onAct={create}
      busy={act.isPending}
      failure={faults.size > 0 ? null : act.error}
      onClose={onClose}
    >
      <ChoiceField
        label={t('type')}
        help={<span lang="en">{type?.description}</span>}
        value={typeId}
        onChange={setTypeId}
        choices={types.map((one) => ({ value: one.typeId, title: one.name }))}
        fault={faults.get('typeId')}
      />
      <TextField
        label={t('name')}
        required
        value={name}
        onChange={setName}
        fault={faults.get('name')}
        autoFocus
      />
      <ConfigFields
        schema={schema}
        draft={draft}
        onChange={(next) => setDrafts({ ...drafts, [typeId]: next })}
        secrets={[]}
        faults={faults}
      />
      {hasLimits(type) && <LimitFields draft={limits} onChange={setLimits} faults={faults} />}
    </Dialog>
  )
}

function ChangeForm({ types, provider, onClose, onDone }: Props & { readonly provider: Provider }) {
  const t = useWords<keyof typeof en>('providers')
  const type = types.find((one) => one.typeId === provider.typeId)
  const whole = type?.configSchema
  const stored = useCall(
    'findProviderConfig',
    { params: { providerId: provider.id } },
    { keepOld: false },
  )
  const [name, setName] = useState(provider.name)
  const [draft, setDraft] = useState<Draft>()
  const [limits, setLimits] = useState<LimitDraft>(limitDraftOf(provider.limits))
  const act = useAct('changeProvider', [
    'listProviders',
    'findProvider',
    'findProviderConfig',
    'findProviderUsage',
  ])
  const faults = faultsOf(act.error)
  const config = stored.data?.config
  // What is being typed is kept when the stored config is read again.
  useEffect(() => {
    if (config) setDraft((before) => before ?? draftOf(whole ?? {}, config))
  }, [config, whole])
  const schema = schemaFor(type, draft ?? {})
  const change = () =>
    act.mutate(
      {
        params: { providerId: provider.id },
        body: {
          name,
          config: configOf(schema, draft ?? {}),
          keepSecrets: true,
          ...(hasLimits(type) && { limits: limitsOf(limits) }),
        },
      },
      { onSuccess: () => onDone(provider.id) },
    )
  return (
    <Dialog
      title={t('changeTitle', { name: provider.name })}
      wide
      act={t('save')}
      onAct={change}
      busy={act.isPending}
      failure={faults.size > 0 ? null : act.error}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        required
        value={name}
        onChange={setName}
        fault={faults.get('name')}
        autoFocus
      />
      <Shown of={stored}>
        {({ secrets }) =>
          draft && (
            <ConfigFields
              schema={schema}
              draft={draft}
              onChange={setDraft}
              secrets={secrets}
              faults={faults}
            />
          )
        }
      </Shown>
      {hasLimits(type) && <LimitFields draft={limits} onChange={setLimits} faults={faults} />}
    </Dialog>
  )
}
