/** The dialog of a rule: its name, its provider and its conditions. */
import type { RoutingRule } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField, FieldRow, TextField } from '../../parts/fields.tsx'
import { useProviders } from '../../parts/provider-names.ts'
import type en from '../../words/en/routing.json'
import { useWords } from '../../words/words.ts'
import { bandNames, type RuleText, ruleOf, textOf } from './rule-text.ts'

type Key = keyof typeof en
type TextName = Exclude<keyof RuleText, 'providerId' | 'band'>

export function RuleForm({
  rule,
  onDone,
  onClose,
}: {
  readonly rule: RoutingRule | undefined
  readonly onDone: (rule: RoutingRule) => void
  readonly onClose: () => void
}) {
  const t = useWords<Key>('routing')
  const { all } = useProviders()
  const [text, setText] = useState(() => textOf(rule ?? { name: '', providerId: '' }))
  const set = (name: keyof RuleText) => (value: string) => setText({ ...text, [name]: value })
  const field = (name: TextName) => ({ value: text[name], onChange: set(name) })
  const providerId = text.providerId || (all[0]?.id ?? '')
  const isKnown = all.some(({ id }) => id === providerId)
  return (
    <Dialog
      title={rule ? t('changeRule', { name: rule.name }) : t('newRule')}
      act={t('apply')}
      refusal={text.name.trim() === '' ? t('nameNeeded') : undefined}
      onAct={() => onDone(ruleOf({ ...text, providerId }))}
      onClose={onClose}
    >
      <FieldRow>
        <TextField label={t('name')} required autoFocus {...field('name')} />
        <ChoiceField
          label={t('provider')}
          value={providerId}
          onChange={set('providerId')}
          choices={[
            ...(isKnown ? [] : [{ value: providerId, title: providerId }]),
            ...all.map(({ id, name }) => ({ value: id, title: name })),
          ]}
        />
      </FieldRow>
      <p className="mut">{t('conditionsHelp')}</p>
      <FieldRow>
        <TextField label={t('source')} mono help={t('languagesHelp')} {...field('source')} />
        <TextField label={t('target')} mono help={t('languagesHelp')} {...field('target')} />
      </FieldRow>
      <TextField label={t('labels')} help={t('labelsHelp')} {...field('labels')} />
      <FieldRow>
        <TextField label={t('minWords')} digits {...field('minWords')} />
        <TextField label={t('maxWords')} digits {...field('maxWords')} />
      </FieldRow>
      <FieldRow>
        <ChoiceField
          label={t('band')}
          value={text.band}
          onChange={set('band')}
          choices={[
            { value: '', title: t('anyBand') },
            ...[...new Set([...bandNames, text.band])].flatMap((one) =>
              one ? [{ value: one, title: one, lang: 'en' }] : [],
            ),
          ]}
        />
        {text.band !== '' && <TextField label={t('bandMin')} digits {...field('bandMin')} />}
      </FieldRow>
      <TextField
        label={t('metadata')}
        mono
        rows={2}
        help={t('metadataHelp')}
        {...field('metadata')}
      />
    </Dialog>
  )
}
