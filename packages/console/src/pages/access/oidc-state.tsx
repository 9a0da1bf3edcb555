/** Whether people sign in with an OpenID provider, which one, and why it last failed. */
import { Glyph } from '../../look/glyphs.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useCall } from '../../queries.ts'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import css from './access.module.css'

export function OidcState() {
  const t = useWords<keyof typeof en>('access')
  const { data } = useCall('findOidc')
  if (!data) return null
  if (!data.configured) return <p className={`${css.oidc} dim meta`}>{t('noOidc')}</p>
  const { name = '', issuer = '', givesRoles, lastError } = data
  return (
    <div className={css.oidc}>
      <p>
        {t.rich(givesRoles ? 'oidcRoles' : 'oidc', {
          name,
          issuer,
          bdi: (inside) => <bdi>{inside}</bdi>,
        })}
      </p>
      {lastError && (
        <p className={css.oidcError}>
          <Glyph name="error" size={14} />
          <span>
            {t('oidcFailed')} <Moment at={lastError.time} as="relative" />:{' '}
            <bdi lang="en">{lastError.message}</bdi>
          </span>
        </p>
      )}
    </div>
  )
}
