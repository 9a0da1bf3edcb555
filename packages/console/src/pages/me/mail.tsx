/** Which mail the person wants. Nothing is shown on a hub that sends none. */
import type { MailSwitches, Me } from '@dragoman/contract/wire'
import { useState } from 'react'
import { CheckField } from '../../parts/fields.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import css from './me.module.css'

const names = [
  'newWork',
  'rejected',
  'dueTomorrow',
  'digest',
  'delivered',
  'late',
  'finished',
  'question',
] as const satisfies readonly (keyof MailSwitches)[]

export function Mail({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const change = useAct('changeMe', ['findMe'])
  const { mail: kept = {} } = me.preferences
  const [mail, setMail] = useState(kept)
  if (!me.sendsMail) return null
  const set = (next: MailSwitches) => {
    setMail(next)
    change.mutate({ body: { preferences: { mail: next } } }, { onError: () => setMail(kept) })
  }
  return (
    <Panel title={t('mail')}>
      <div className={css.form}>
        <p className="mut">
          {me.email === undefined
            ? t('mailNoAddress')
            : t.rich('mailTo', { email: me.email, bdi: (inside) => <bdi>{inside}</bdi> })}
        </p>
        {names.map((name) => (
          <CheckField
            key={name}
            label={t(`mail.${name}`)}
            help={t(`mailHint.${name}`)}
            checked={mail[name] === true}
            onChange={(on) => set({ ...mail, [name]: on })}
          />
        ))}
        <Refused failure={change.error} />
      </div>
    </Panel>
  )
}
