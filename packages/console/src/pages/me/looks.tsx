/**
 * Language, time zone, theme and keys. They apply in every browser of the person; a change takes
 * effect at once.
 */
import type { Me, Preferences } from '@dragoman/contract/wire'
import { useMantineColorScheme } from '@mantine/core'
import { hubNow } from '../../clock.ts'
import { switchKeys } from '../../keys.ts'
import { CheckField, ChoiceField } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import { storeChoice } from '../../stored-choices.ts'
import { writersFor } from '../../times.ts'
import type en from '../../words/en/me.json'
import { languages, useLanguage, useWords } from '../../words/words.ts'
import { browserZone } from '../../zone.ts'
import css from './me.module.css'

const zones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

/** Each language in its own name. */
const ownName = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language

export function Looks({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const language = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const change = useAct('changeMe', ['findMe'])
  const { preferences } = me
  const set = (preferences: Preferences, then: () => void) =>
    change.mutate({ body: { preferences } }, { onSuccess: then })
  const here = browserZone()
  const zone = preferences.zone ?? here
  return (
    <Panel title={t('looks')}>
      <div className={css.form}>
        <ChoiceField
          label={t('language')}
          value={preferences.language ?? (language === 'en-XA' ? 'en' : language)}
          choices={languages.map((one) => ({ value: one, title: ownName(one), lang: one }))}
          onChange={(value) => {
            const chosen = languages.find((one) => one === value) ?? 'en'
            set({ language: chosen }, () => {
              storeChoice('language', chosen)
              location.reload()
            })
          }}
        />
        <ChoiceField
          label={t('zone')}
          help={t('zoneNow', { time: writersFor(language, zone).full(hubNow()) })}
          value={zone}
          choices={[...new Set([here, zone, ...zones()])].map((one) => ({
            value: one,
            title: one,
          }))}
          onChange={(chosen) => set({ zone: chosen }, () => storeChoice('zone', chosen))}
        />
        <ChoiceField
          label={t('theme')}
          value={preferences.theme ?? 'system'}
          choices={(['system', 'light', 'dark'] as const).map((one) => ({
            value: one,
            title: t(`theme.${one}`),
          }))}
          onChange={(value) => {
            const theme = value as NonNullable<Preferences['theme']>
            set({ theme }, () => setColorScheme(theme === 'system' ? 'auto' : theme))
          }}
        />
        <CheckField
          label={t('keys')}
          help={t('keysHint')}
          checked={preferences.keys !== false}
          onChange={(on) => set({ keys: on }, () => switchKeys(on))}
        />
        <Refused failure={change.error} />
      </div>
    </Panel>
  )
}
