/** The nodes of the hub: which run, how accurate their clocks are, what they do. */

import type { CallAnswer } from '../../hub.ts'
import { Pill } from '../../look/states.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { usePages } from '../../queries.ts'
import { useLive } from '../../stream.ts'
import { useWords } from '../../words/words.ts'
import { NotShown } from './not-shown.tsx'
import type { Key, PartProps } from './part.ts'
import { useOperator } from './use-operator.ts'

type Node = CallAnswer<'listNodes'>['nodes'][number]
const looks = { running: 'approved', stopping: 'review', vanished: 'rejected' } as const

export function Nodes({ frame }: PartProps) {
  const t = useWords<Key>('health')
  const isOperator = useOperator()
  return (
    <Page {...frame} fills>
      {isOperator ? (
        <NodeGrid />
      ) : (
        <NotShown title={t('noNodes')} body={t('noNodesBody')} command="dragoman nodes --local" />
      )}
    </Page>
  )
}

function NodeGrid() {
  const t = useWords<Key>('health')
  const pages = usePages('listNodes', {})
  useLive('listNodes')
  const columns: Column<Node>[] = [
    {
      name: 'state',
      title: t('state'),
      width: '110px',
      narrow: 1,
      cell: ({ state }) => <Pill look={looks[state]}>{t(`node.${state}`)}</Pill>,
    },
    {
      name: 'host',
      title: t('host'),
      width: 'minmax(0, 1fr)',
      narrow: 1,
      cell: ({ host, nodeId }) => <bdi>{host ?? nodeId}</bdi>,
    },
    {
      name: 'version',
      title: t('version'),
      width: '90px',
      narrow: 2,
      cell: ({ version }) => version,
    },
    {
      name: 'started',
      title: t('started'),
      width: '120px',
      narrow: 'hidden',
      cell: ({ startedDate }) => <Moment at={startedDate} as="relative" />,
    },
    {
      name: 'seen',
      title: t('seen'),
      width: '130px',
      narrow: 2,
      cell: ({ seenDate }) => <Moment at={seenDate} as="relative" />,
    },
    {
      name: 'clock',
      title: t('clock'),
      width: '240px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ clockSkewMs }) => (clockSkewMs === undefined ? t('noClock') : `${clockSkewMs} ms`),
    },
    {
      name: 'tasks',
      title: t('running tasks'),
      width: '70px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ tasks }) => tasks ?? '',
    },
  ]
  return (
    <Grid
      label={t('nodes')}
      columns={columns}
      pages={pages}
      idOf={({ nodeId }) => nodeId}
      onOpen={() => {}}
      empty={null}
    />
  )
}
