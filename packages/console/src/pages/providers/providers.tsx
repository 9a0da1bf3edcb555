/**
 * Who translates: the providers of the site with their state and open work; beside the list,
 * everything about the selected one.
 */

import { useLocation, useParams } from 'wouter'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Name } from '../../parts/name.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/said.tsx'
import { useCall, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/providers.json'
import { useWords } from '../../words/words.ts'
import { type Provider, StatusPill, type Work } from './provider.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderInspector } from './provider-inspector.tsx'
import css from './providers.module.css'
import { SchemaEditor } from './schema-editor.tsx'
import { useShares } from './shares.ts'

export default function ProvidersPage() {
  const t = useWords<keyof typeof en>('providers')
  const writers = useWriters()
  const { providerId } = useParams<{ providerId?: string }>()
  const [, go] = useLocation()
  const [{ form }, change] = useSearchState()
  const mayChange = useMay('admin')
  const pages = usePages('listProviders', { query: { pageSize: 50 } })
  const types = useCall('listProviderTypes')
  const work = useCall('countProviderWork')
  useLive('countProviderWork', 'listProviders', 'findProvider')
  const sharesOf = useShares()
  const share = (of: number | undefined) =>
    of === undefined ? (
      <span className="dim">–</span>
    ) : (
      <span title={t('inTwelveWeeks')}>{writers.percent(of)}</span>
    )
  const typeName = (typeId: string) =>
    types.data?.providertypes.find((type) => type.typeId === typeId)?.name ?? typeId
  const workOf = (id: string): Work | undefined =>
    work.data?.providers.find((one) => one.providerId === id)
  const provider = pages.items.find(({ id }) => id === providerId)
  const create = () => change({ form: 'new' }, 'push')
  const close = () => change({ form: undefined })
  useKeys(mayChange ? [{ keys: 'n', says: t('new'), act: create }] : [])
  // Beside the inspector there is no room for them; it shows the same.
  const troubles: Column<Provider>[] = [
    {
      name: 'onTime',
      title: t('onTime'),
      width: '80px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ id }) => share(sharesOf(id).onTime),
    },
    {
      name: 'rejects',
      title: t('rejects'),
      width: '80px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ id }) => share(sharesOf(id).rejected),
    },
    {
      name: 'late',
      title: t('late'),
      width: '70px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ id }) => <Bad count={workOf(id)?.late ?? 0} write={writers.number} />,
    },
    {
      name: 'errors',
      title: t('errors'),
      width: '80px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ id }) => <Bad count={workOf(id)?.withErrors ?? 0} write={writers.number} />,
    },
  ]
  return (
    <Page
      title={t('title')}
      fills
      acts={
        <Button
          kind="main"
          glyph="add"
          refusal={mayChange ? undefined : t('onlyAdmins')}
          onClick={create}
        >
          {t('new')}
        </Button>
      }
      inspector={
        providerId && (
          <ProviderInspector
            key={providerId}
            providerId={providerId}
            typeName={typeName}
            work={workOf(providerId)}
            shares={sharesOf(providerId)}
            onClose={() => go('/providers')}
          />
        )
      }
    >
      <Grid
        label={t('title')}
        pages={pages}
        idOf={({ id }) => id}
        selected={providerId}
        onOpen={({ id }) => go(`/providers/${id}`)}
        empty={
          <Empty glyph="providers" title={t('none')}>
            {t('noneBody')}
          </Empty>
        }
        columns={[
          {
            name: 'name',
            title: t('name'),
            width: 'minmax(0, 2fr)',
            cell: ({ name }) => <Name of={name} />,
            narrow: 1,
          },
          {
            name: 'type',
            title: t('type'),
            width: 'minmax(0, 1.4fr)',
            cell: ({ typeId }) => typeName(typeId),
            narrow: 2,
          },
          {
            name: 'state',
            title: t('state'),
            width: '120px',
            cell: ({ status }) => <StatusPill status={status} />,
            narrow: 1,
          },
          {
            name: 'open',
            title: t('openJobs'),
            width: '90px',
            atEnd: true,
            narrow: 2,
            cell: ({ id }) => (
              <Count
                of={workOf(id)?.openJobs ?? 0}
                says={t('openCount', { count: workOf(id)?.openJobs ?? 0 })}
              />
            ),
          },
          ...(providerId ? [] : troubles),
        ]}
      />
      {form === 'new' && types.data && (
        <ProviderForm
          types={types.data.providertypes}
          onClose={close}
          onDone={(id) => go(`/providers/${id}`, { replace: true })}
        />
      )}
      {form === 'change' && types.data && provider && (
        <ProviderForm
          types={types.data.providertypes}
          provider={provider}
          onClose={close}
          onDone={close}
        />
      )}
      {form === 'schema' && provider && <SchemaEditor provider={provider} onClose={close} />}
    </Page>
  )
}

/** The number in its column; with words on a narrow screen, where the column has no heading. */
function Count({ of, says }: { readonly of: number; readonly says: string }) {
  const writers = useWriters()
  return (
    <>
      <span className={css.wide}>{writers.number(of)}</span>
      <span className={css.narrow}>{says}</span>
    </>
  )
}

function Bad({
  count,
  write,
}: {
  readonly count: number
  readonly write: (value: number) => string
}) {
  return <span className={count > 0 ? css.bad : 'dim'}>{write(count)}</span>
}
