/** The translation memory: find units, add, correct and remove them, import and export TMX. */
import type { MemoryUnit } from '@dragoman/contract/wire'
import { useState } from 'react'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button } from '../../parts/controls.tsx'
import { Exchange, SearchBar } from '../../parts/language/exchange.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInQuery } from '../../parts/list/open-row.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { Moment } from '../../parts/moment.tsx'
import { Inspector, Panel } from '../../parts/page.tsx'
import { usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/memory.json'
import { useWords } from '../../words/words.ts'
import { UnitForm } from './unit-form.tsx'

type Key = keyof typeof en

export default function MemoryPage() {
  const t = useWords<Key>('memory')
  const filter = useUrlFilter(['q'])
  const open = useRowInQuery('unit')
  const { allowed } = useSession()
  const { q } = filter.search
  const pages = usePages('listMemoryUnits', { query: { ...(q && { text: q }) } })
  useLive('listMemoryUnits')
  const column = columnsOf<MemoryUnit, Key>(t)
  const unit = pages.items.find(({ unitId }) => unitId === open.id)
  return (
    <ListPage
      title={t('title')}
      pages={pages}
      idOf={({ unitId }) => unitId}
      open={open}
      filter={filter}
      columns={[
        column('source', 'minmax(0, 1fr)', 1, (one) => (
          <bdi lang={one.sourceNativeLanguageCode}>{one.source}</bdi>
        )),
        column('target', 'minmax(0, 1fr)', 2, (one) => (
          <bdi lang={one.targetNativeLanguageCode}>{one.target}</bdi>
        )),
        column(
          'pair',
          '130px',
          2,
          (one) => `${one.sourceNativeLanguageCode} – ${one.targetNativeLanguageCode}`,
        ),
        column('changed', '130px', 'hidden', ({ changedTime }) => (
          <Moment at={changedTime} as="near" />
        )),
      ]}
      none={{ glyph: 'docs', title: t('none'), body: t('noneBody') }}
      noMatch={{ title: t('noMatch'), clear: t('clear') }}
      create={{
        says: t('new'),
        refusal: allowed.includes('createMemoryUnit') ? undefined : t('onlyManagers'),
      }}
      acts={
        <Exchange
          exports={[{ path: '/settings/memory/export', name: 'memory.tmx', title: 'TMX' }]}
          {...(allowed.includes('createMemoryImport') && {
            imports: {
              accept: '.tmx',
              pathOf: () => '/settings/memory/imports?format=tmx',
              typeOf: () => 'application/xml',
              says: () => t('importing'),
              changes: 'listMemoryUnits',
            },
          })}
        />
      }
      bar={<SearchBar label={t('find')} value={q ?? ''} onChange={(q) => filter.change({ q })} />}
      inspector={unit && <UnitInspector key={unit.unitId} unit={unit} onClose={open.close} />}
      forms={{
        new: (close) => <UnitForm onClose={close} />,
        change: unit && ((close) => <UnitForm unit={unit} onClose={close} />),
      }}
    />
  )
}

function UnitInspector({
  unit,
  onClose,
}: {
  readonly unit: MemoryUnit
  readonly onClose: () => void
}) {
  const t = useWords<Key>('memory')
  const writers = useWriters()
  const { allowed } = useSession()
  const [, change] = useSearchState()
  const [isAsked, setAsked] = useState(false)
  const { unitId, version, source, target, changedBy, changedTime, origin } = unit
  const { sourceNativeLanguageCode: from, targetNativeLanguageCode: to } = unit
  return (
    <Inspector
      label={t('unit')}
      title={t('unit')}
      onClose={onClose}
      acts={
        allowed.includes('changeMemoryUnit') && (
          <>
            <Button small onClick={() => change({ form: 'change' }, 'push')}>
              {t('change')}
            </Button>
            <Button small kind="danger" glyph="bin" onClick={() => setAsked(true)}>
              {t('delete')}
            </Button>
          </>
        )
      }
    >
      <Panel title={writers.language(from)}>
        <p lang={from} dir="auto">
          {source}
        </p>
      </Panel>
      <Panel title={writers.language(to)}>
        <p lang={to} dir="auto">
          {target}
        </p>
      </Panel>
      <p className="meta dim">
        {t('who')} <bdi>{changedBy ?? origin}</bdi> <Moment at={changedTime} />
      </p>
      {isAsked && (
        <AskDialog
          title={t('delete')}
          act={t('delete')}
          kind="danger"
          call="deleteMemoryUnit"
          input={{ params: { unitId }, query: { version } }}
          changes={['listMemoryUnits']}
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false)
            onClose()
          }}
        >
          <p>{t('deleteBody')}</p>
        </AskDialog>
      )}
    </Inspector>
  )
}
