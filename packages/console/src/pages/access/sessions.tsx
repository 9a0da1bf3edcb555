/** Open sessions of people: from where, since when, and how to end each. */
import { type ReactNode, useState } from 'react'
import type { CallAnswer } from '../../hub.ts'
import { Pill } from '../../look/states.tsx'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button } from '../../parts/controls.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'
import { OidcState } from './oidc-state.tsx'

type Key = keyof typeof en
type Session = CallAnswer<'listSessions'>['sessions'][number]

export function Sessions({ tabs }: { readonly tabs: ReactNode }) {
  const t = useWords<Key>('access')
  const [{ person }] = useSearchState()
  const mayEnd = useMay('admin')
  const [ending, setEnding] = useState<Session>()
  const pages = usePages('listSessions', { query: { ...(person && { personId: person }) } })
  const column = columnsOf<Session, Key>(t)
  return (
    <ListPage
      title={t('title')}
      head={tabs}
      label={t('sessions')}
      pages={pages}
      idOf={({ sessionId }) => sessionId}
      onOpen={(session) => mayEnd && setEnding(session)}
      none={{ glyph: 'person', title: t('noSessions'), body: t('noSessionsBody') }}
      bar={<OidcState />}
      columns={[
        column('person', 'minmax(0, 1.2fr)', 1, ({ name, current }) => (
          <>
            <Name of={name} /> {current && <Pill look="sent">{t('thisOne')}</Pill>}
          </>
        )),
        column('since', '130px', 2, ({ createdDate }) => <Moment at={createdDate} as="relative" />),
        column('lastUse', '130px', 'hidden', ({ lastUsedDate }) => (
          <Moment at={lastUsedDate} as="relative" />
        )),
        column('address', '140px', 2, ({ address }) => <bdi dir="ltr">{address}</bdi>),
        column('browser', 'minmax(0, 1.4fr)', 'hidden', ({ userAgent }) => (
          <span className="mut">{userAgent && <Name of={userAgent} />}</span>
        )),
        column('end', '110px', 1, (session) => (
          <Button
            small
            refusal={mayEnd ? undefined : t('onlyAdmins')}
            aria-label={t('endOf', { name: session.name })}
            onClick={() => setEnding(session)}
          >
            {t('end')}
          </Button>
        )),
      ]}
    >
      {ending && <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </ListPage>
  )
}

function EndDialog({
  session,
  onClose,
}: {
  readonly session: Session
  readonly onClose: () => void
}) {
  const t = useWords<Key>('access')
  return (
    <AskDialog
      title={t('endOf', { name: session.name })}
      act={t('end')}
      kind="danger"
      call="endSession"
      input={{ params: { sessionId: session.sessionId } }}
      changes={['listSessions']}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('endAsk')}</p>
    </AskDialog>
  )
}
