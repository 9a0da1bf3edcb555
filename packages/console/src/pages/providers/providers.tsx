/**
 * Who translates: the providers of the site with their state and open work; beside the list,
 * everything about the selected one.
 */

import { useLocation } from 'wouter'
import { columnsOf } from '../../parts/list/columns.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInPath } from '../../parts/list/open-row.ts'
import { Name } from '../../parts/name.tsx'
import { useCall, usePages } from '../../queries.ts'
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

type Key = keyof typeof en

export default function ProvidersPage() {
  const t = useWords<Key>('providers')
  const writers = useWriters()
  const [, go] = useLocation()
  const open = useRowInPath('/providers', 'providerId')
  const mayChange = useMay('admin')
  const pages = usePages('listProviders', { query: { pageSize: 50 } })
  const types = useCall('listProviderTypes').data?.providertypes
  const work = useCall('countProviderWork')
  useLive('countProviderWork', 'listProviders', 'findProvider')
  const sharesOf = useShares()
  const share = (of: number | undefined) =>
    of === undefined ? (
      <span className="dim">–</span>
    ) : (
      <span title={t('inTwelveWeeks')}>{writers.percent(of)}</span>
    )
  const typeName = (typeId: string) => types?.find((type) => type.typeId === typeId)?.name ?? typeId
  const workOf = (id: string): Work | undefined =>
    work.data?.providers.find((one) => one.providerId === id)
  const provider = pages.items.find(({ id }) => id === open.id)
  const column = columnsOf<Provider, Key>(t)
  // The panel beside the list shows the same.
  const figure = { atEnd: true, beside: 'hidden' } as const
  const bad = (count = 0) => (
    <span className={count > 0 ? css.bad : 'dim'}>{writers.number(count)}</span>
  )
  return (
    <ListPage
      title={t('title')}
      pages={pages}
      idOf={({ id }) => id}
      open={open}
      columns={[
        column('name', 'minmax(0, 2fr)', 1, ({ name }) => <Name of={name} />),
        column('type', 'minmax(0, 1.4fr)', 2, ({ typeId }) => typeName(typeId)),
        column('state', '120px', 1, ({ status }) => <StatusPill status={status} />),
        column('openJobs', '90px', 2, ({ id }) => <Count of={workOf(id)?.openJobs ?? 0} />, {
          atEnd: true,
        }),
        column('onTime', '80px', 'hidden', ({ id }) => share(sharesOf(id).onTime), figure),
        column('rejects', '80px', 'hidden', ({ id }) => share(sharesOf(id).rejected), figure),
        column('late', '70px', 'hidden', ({ id }) => bad(workOf(id)?.late), figure),
        column('errors', '80px', 'hidden', ({ id }) => bad(workOf(id)?.withErrors), figure),
      ]}
      none={{ glyph: 'providers', title: t('none'), body: t('noneBody') }}
      create={{ says: t('new'), refusal: mayChange ? undefined : t('onlyAdmins') }}
      inspector={
        open.id && (
          <ProviderInspector
            key={open.id}
            providerId={open.id}
            typeName={typeName}
            work={workOf(open.id)}
            shares={sharesOf(open.id)}
            onClose={open.close}
          />
        )
      }
      forms={{
        new:
          types &&
          ((close) => (
            <ProviderForm
              types={types}
              onClose={close}
              onDone={(id) => go(`/providers/${id}`, { replace: true })}
            />
          )),
        change:
          types &&
          provider &&
          ((close) => <ProviderForm {...{ types, provider }} onClose={close} onDone={close} />),
        schema: provider && ((close) => <SchemaEditor provider={provider} onClose={close} />),
      }}
    />
  )
}

/** The number in its column; with words on a narrow screen, where the column has no heading. */
function Count({ of }: { readonly of: number }) {
  const t = useWords<Key>('providers')
  const writers = useWriters()
  return (
    <>
      <span className={css.wide}>{writers.number(of)}</span>
      <span className={css.narrow}>{t('openCount', { count: of })}</span>
    </>
  )
}
