/** How much an engine may translate in a day and in a job. */
import { type Faults, FieldRow, Group, TextField } from '../../parts/fields.tsx'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import type { Provider, ProviderType } from './provider.tsx'

type Limits = NonNullable<Provider['limits']>
/** Both are texts as a person typed them. */
export type LimitDraft = { readonly perDay: string; readonly perJob: string }

/** Only engines count what they translate. */
export const hasLimits = (type: ProviderType | undefined): boolean =>
  (type?.dialects?.length ?? 0) > 0

export const limitDraftOf = ({ charactersPerDay, charactersPerJob }: Limits = {}): LimitDraft => ({
  perDay: String(charactersPerDay ?? ''),
  perJob: String(charactersPerJob ?? ''),
})

/** Text that is not a number stays text, so that the hub says what is wrong with it. */
export function limitsOf({ perDay, perJob }: LimitDraft): Limits {
  const written = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text) as number
  return {
    ...(perDay.trim() && { charactersPerDay: written(perDay) }),
    ...(perJob.trim() && { charactersPerJob: written(perJob) }),
  }
}

type Props = {
  readonly draft: LimitDraft
  readonly onChange: (draft: LimitDraft) => void
  readonly faults: Faults
}

export function LimitFields({ draft, onChange, faults }: Props) {
  const t = useWords<keyof typeof en>('providers')
  return (
    <Group legend={t('limits')}>
      <p className="mut">{t('limitsHelp')}</p>
      <FieldRow>
        <TextField
          label={t('perDay')}
          mono
          digits
          value={draft.perDay}
          onChange={(perDay) => onChange({ ...draft, perDay })}
          fault={faults.get('limits.charactersPerDay')}
        />
        <TextField
          label={t('perJob')}
          mono
          digits
          value={draft.perJob}
          onChange={(perJob) => onChange({ ...draft, perJob })}
          fault={faults.get('limits.charactersPerJob')}
        />
      </FieldRow>
    </Group>
  )
}
