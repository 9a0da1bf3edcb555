/**
 * Creates a provider, or changes its name, config and limits. Errors of the hub are shown at their
 * fields.
 */
import { useEffect, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Shown } from '../../parts/said.tsx'
import { useAct, useCall } from '../../queries.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import { ConfigFields, configOf, type Draft, draftOf, propertiesOf } from './config-fields.tsx'
import { hasLimits, LimitFields, limitsIn } from './limit-fields.tsx'
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
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const act = useAct('createProvider', ['listProviders'])
  const start = () => ({ typeId: types[0]?.typeId ?? '', name: '', ...limitsIn() })
  const form = useForm('createProvider', start, [act])
  const { typeId } = form.values
  const type = types.find((one) => one.typeId === typeId)
  const draft = drafts[typeId] ?? draftOf(type?.configSchema ?? {}, {})
  const schema = schemaFor(type, draft)
  const create = () => {
    const { limits = {}, ...body } = form.body({ config: configOf(schema, draft) })
    act.mutate(
      { body: { ...body, ...(hasLimits(type) && { limits }) } },
      { onSuccess: ({ id }) => onDone(id) },
    )
  }
  return (
    <Dialog
      title={t('new')}
      wide
      act={t('create')}
      onAct={create}
      {...form.dialog}
      onClose={onClose}
    >
      <ChoiceField
        label={t('type')}
        help={<span lang="en">{type?.description}</span>}
        choices={types.map((one) => ({ value: one.typeId, title: one.name }))}
        {...form.plain('typeId')}
      />
      <TextField label={t('name')} autoFocus {...form.text('name')} />
      <ConfigFields
        schema={schema}
        draft={draft}
        onChange={(next) => setDrafts({ ...drafts, [typeId]: next })}
        secrets={[]}
        faults={form.faults}
      />
      {hasLimits(type) && <LimitFields form={form} />}
    </Dialog>
  )
}

function ChangeForm({ types, provider, onClose, onDone }: Props & { readonly provider: Provider }) {
  const t = useWords<keyof typeof en>('providers')
  const type = types.find((one) => one.typeId === provider.typeId)
  const whole = type?.configSchema
  const params = { providerId: provider.id }
  const stored = useCall('findProviderConfig', { params }, { keepOld: false })
  const [draft, setDraft] = useState<Draft>()
  const act = useAct('changeProvider', [
    'listProviders',
    'findProvider',
    'findProviderConfig',
    'findProviderUsage',
  ])
  const start = () => ({ name: provider.name, ...limitsIn(provider.limits) })
  const form = useForm('createProvider', start, [act])
  const config = stored.data?.config
  // What is being typed is kept when the stored config is read again.
  useEffect(() => {
    if (config) setDraft((before) => before ?? draftOf(whole ?? {}, config))
  }, [config, whole])
  const schema = schemaFor(type, draft ?? {})
  const change = () => {
    const config = configOf(schema, draft ?? {})
    const { limits = {}, ...body } = form.body({ config, keepSecrets: true })
    act.mutate(
      { params, body: { ...body, ...(hasLimits(type) && { limits }) } },
      { onSuccess: () => onDone(provider.id) },
    )
  }
  return (
    <Dialog
      title={t('changeTitle', { name: provider.name })}
      wide
      act={t('save')}
      onAct={change}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t('name')} autoFocus {...form.text('name')} />
      <Shown of={stored}>
        {({ secrets }) =>
          draft && (
            <ConfigFields
              schema={schema}
              draft={draft}
              onChange={setDraft}
              secrets={secrets}
              faults={form.faults}
            />
          )
        }
      </Shown>
      {hasLimits(type) && <LimitFields form={form} />}
    </Dialog>
  )
}
