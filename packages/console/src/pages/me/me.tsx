/**
 * What people set for themselves: how the console looks, what mail they get, how they sign in, and
 * where they are signed in.
 */
import { Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import type en from '../../words/en/me.json'
import { useWords } from '../../words/words.ts'
import { Looks } from './looks.tsx'
import { Mail } from './mail.tsx'
import css from './me.module.css'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Recovery } from './recovery.tsx'
import { Sessions, SignOut } from './sessions.tsx'
import { Who } from './who.tsx'

export default function MePage() {
  const t = useWords<keyof typeof en>('me')
  const me = useCall('findMe')
  return (
    <Page title={t('title')} acts={<SignOut />}>
      <Shown of={me} rows={12}>
        {(found) => (
          <div className={css.parts}>
            <Who me={found} />
            <Looks me={found} />
            <Mail me={found} />
            <Password me={found} />
            <Passkeys me={found} />
            <Recovery me={found} />
            <Sessions me={found} />
          </div>
        )}
      </Shown>
    </Page>
  )
}
