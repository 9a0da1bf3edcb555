/** Recovery codes: shown once, when they are created. */
import type { Me } from '@dragoman/contract/wire'
import { Button, Copy } from '../../parts/controls.tsx'
import { Panel } from '../../parts/page.tsx'
import { Refused } from '../../parts/said.tsx'
import { useAct } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import css from './me.module.css'

export function Recovery({ me }: { readonly me: Me }) {
  const t = useWords<keyof typeof en>('me')
  const make = useAct('makeRecoveryCodes', ['findMe'])
  const codes = make.data?.recoveryCodes
  return (
    <Panel title={t('recovery')}>
      <p className="mut">{t('recoveryHint')}</p>
      <p>{t('codesLeft', { count: me.recoveryCodes })}</p>
      {codes && (
        <>
          <p role="status">{t('codesOnce')}</p>
          <ul className={css.codes} dir="ltr">
            {codes.map((code) => (
              <li key={code} className="mono">
                {code}
              </li>
            ))}
          </ul>
          <div className={css.acts}>
            <Copy text={codes.join('\n')} label={t('copyCodes')}>
              {t('copyCodes')}
            </Copy>
          </div>
        </>
      )}
      <Refused failure={make.error} />
      <div className={css.acts}>
        <Button busy={make.isPending} onClick={() => make.mutate({})}>
          {me.recoveryCodes > 0 ? t('newCodes') : t('makeCodes')}
        </Button>
      </div>
    </Panel>
  )
}
