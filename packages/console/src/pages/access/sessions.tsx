/** Open sessions of people: from where, since when, and how to end each. */
import { type ReactNode, useState } from 'react'
import type { CallAnswer } from '../../hub.ts'
import { Pill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useAct, usePages } from '../../queries.ts'
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
  return (
    <Page title={t('title')} head={tabs} fills>
      <OidcState />
      <Grid
        label={t('sessions')}
        pages={pages}
        idOf={({ sessionId }) => sessionId}
        onOpen={(session) => mayEnd && setEnding(session)}
        empty={
          <Empty glyph="person" title={t('noSessions')}>
            {t('noSessionsBody')}
          </Empty>
        }
        columns={[
          {
            name: 'name',
            title: t('person'),
            width: 'minmax(0, 1.2fr)',
            narrow: 1,
            cell: ({ name, current }) => (
              <>
                <Name of={name} /> {current && <Pill look="sent">{t('thisOne')}</Pill>}
              </>
            ),
          },
          {
            name: 'since',
            title: t('since'),
            width: '130px',
            narrow: 2,
            cell: ({ createdDate }) => <Moment at={createdDate} as="relative" />,
          },
          {
            name: 'used',
            title: t('lastUse'),
            width: '130px',
            narrow: 'hidden',
            cell: ({ lastUsedDate }) => <Moment at={lastUsedDate} as="relative" />,
          },
          {
            name: 'address',
            title: t('address'),
            width: '140px',
            narrow: 2,
            cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
          },
          {
            name: 'browser',
            title: t('browser'),
            width: 'minmax(0, 1.4fr)',
            narrow: 'hidden',
            cell: ({ userAgent }) => (
              <span className="mut">{userAgent && <Name of={userAgent} />}</span>
            ),
          },
          {
            name: 'end',
            title: t('end'),
            width: '110px',
            narrow: 1,
            cell: (session) => (
              <Button
                small
                refusal={mayEnd ? undefined : t('onlyAdmins')}
                aria-label={t('endOf', { name: session.name })}
                onClick={() => setEnding(session)}
              >
                {t('end')}
              </Button>
            ),
          },
        ]}
      />
      {ending && <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </Page>
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
  const act = useAct('endSession', ['listSessions'])
  return (
    <Dialog
      title={t('endOf', { name: session.name })}
      act={t('end')}
      kind="danger"
      busy={act.isPending}
      failure={act.error}
      onAct={() => act.mutate({ params: { sessionId: session.sessionId } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t('endAsk')}</p>
    </Dialog>
  )
}
