/** How much an engine may translate in a day and in a job. */
import type { ComponentProps } from 'react'
import { FieldRow, Group, TextField } from '../../parts/fields.tsx'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import type { Provider, ProviderType } from './provider.tsx'

type Name = 'limits.charactersPerDay' | 'limits.charactersPerJob'

/** Only engines count what they translate. */
export const hasLimits = (type: ProviderType | undefined): boolean =>
  (type?.dialects?.length ?? 0) > 0

export const limitsIn = (limits: Provider['limits'] = {}): Readonly<Record<Name, string>> => ({
  'limits.charactersPerDay': String(limits.charactersPerDay ?? ''),
  'limits.charactersPerJob': String(limits.charactersPerJob ?? ''),
})

type TextProps = Pick<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'fault'>
type Props = { readonly form: { readonly text: (name: Name) => TextProps } }

export function LimitFields({ form }: Props) {
  const t = useWords<keyof typeof en>('providers')
  return (
    <Group legend={t('limits')}>
      <p className="mut">{t('limitsHelp')}</p>
      <FieldRow>
        <TextField label={t('perDay')} mono digits {...form.text('limits.charactersPerDay')} />
        <TextField label={t('perJob')} mono digits {...form.text('limits.charactersPerJob')} />
      </FieldRow>
    </Group>
  )
}
