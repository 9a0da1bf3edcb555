/** The terms of the site: find, add, correct, remove, import and export them. */
import type { Term } from '@dragoman/contract/wire'
import { Exchange, SearchBar } from '../../parts/language/exchange.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInQuery } from '../../parts/list/open-row.ts'
import { useUrlFilter } from '../../parts/list/url-filter.ts'
import { usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useLive } from '../../stream.ts'
import type en from '../../words/en/terms.json'
import { useWords } from '../../words/words.ts'
import { TermForm } from './term-form.tsx'
import { TermInspector } from './term-inspector.tsx'

type Key = keyof typeof en

export default function TermsPage() {
  const t = useWords<Key>('terms')
  const filter = useUrlFilter(['q'])
  const open = useRowInQuery('term')
  const { allowed } = useSession()
  const { q } = filter.search
  const pages = usePages('listTerms', { query: { ...(q && { text: q }) } })
  useLive('listTerms')
  const column = columnsOf<Term, Key>(t)
  const textsOf = ({ entries }: Term) => entries.map(({ text }) => text).join(' · ')
  const term = pages.items.find(({ termId }) => termId === open.id)
  return (
    <ListPage
      title={t('title')}
      pages={pages}
      idOf={({ termId }) => termId}
      open={open}
      filter={filter}
      columns={[
        column('texts', 'minmax(0, 3fr)', 1, (one) => <bdi>{textsOf(one)}</bdi>),
        column('languages', 'minmax(0, 1fr)', 2, ({ entries }) =>
          [...new Set(entries.map(({ language }) => language))].join(', '),
        ),
        column('definition', 'minmax(0, 2fr)', 'hidden', ({ definition }) => (
          <bdi>{definition}</bdi>
        )),
      ]}
      none={{ glyph: 'docs', title: t('none'), body: t('noneBody') }}
      noMatch={{ title: t('noMatch'), clear: t('clear') }}
      create={{
        says: t('new'),
        refusal: allowed.includes('createTerm') ? undefined : t('onlyManagers'),
      }}
      acts={
        <Exchange
          exports={[
            { path: '/settings/terms/export?format=tbx', name: 'terms.tbx', title: 'TBX' },
            { path: '/settings/terms/export?format=csv', name: 'terms.csv', title: 'CSV' },
          ]}
          {...(allowed.includes('importTerms') && {
            imports: {
              accept: '.tbx,.csv,.xml',
              pathOf: (file: File) =>
                `/settings/terms/import?format=${file.name.endsWith('.csv') ? 'csv' : 'tbx'}`,
              typeOf: (file: File) => (file.name.endsWith('.csv') ? 'text/csv' : 'application/xml'),
              says: (done) =>
                t('imported', {
                  added: Number(done.added ?? 0),
                  changed: Number(done.changed ?? 0),
                }),
              changes: 'listTerms',
            },
          })}
        />
      }
      bar={<SearchBar label={t('find')} value={q ?? ''} onChange={(q) => filter.change({ q })} />}
      inspector={term && <TermInspector key={term.termId} term={term} onClose={open.close} />}
      forms={{
        new: (close) => <TermForm onClose={close} />,
        change: term && ((close) => <TermForm term={term} onClose={close} />),
      }}
    />
  )
}
