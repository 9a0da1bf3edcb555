/**
 * Price lists: the one in force, the next one, what is not covered; the matrix, a comparison of two
 * versions, and a new version.
 */
import type { PriceList } from '@dragoman/contract/wire'
import { useLocation, useParams } from 'wouter'
import { useNow } from '../../clock.ts'
import { useKeys } from '../../keys.ts'
import { Pill } from '../../look/states.tsx'
import { Button } from '../../parts/controls.tsx'
import { ChoiceField } from '../../parts/fields.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { Facts, Page, Tabs } from '../../parts/page.tsx'
import { Empty, Failed, Loading } from '../../parts/said.tsx'
import { useCall, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/prices.json'
import { useWords } from '../../words/words.ts'
import { PriceDifference } from './price-difference.tsx'
import { PriceEditor } from './price-editor.tsx'
import {
  blank,
  holesIn,
  inForce,
  nextOf,
  type UsedLanguagePair,
  usualService,
} from './price-model.ts'
import { PriceView } from './price-view.tsx'
import css from './prices.module.css'

type Key = keyof typeof en

export default function PricesPage() {
  const t = useWords<Key>('prices')
  const { priceListId } = useParams<{ priceListId?: string }>()
  const [, go] = useLocation()
  const [{ edit, with: other }, change] = useSearchState()
  const mayEdit = useMay('manager')
  const isNarrow = useNarrow()
  const today = new Date(useNow()).toISOString().slice(0, 10)
  const pages = usePages('listPriceLists', { query: { pageSize: 50 } })
  const used = useCall('listUsedPairs')
  const lists = pages.items
  const current = inForce(lists, today)
  const list = lists.find((one) => one.priceListId === priceListId) ?? current ?? lists[0]
  const pairs = used.data?.pairs ?? []
  const isEditing = edit === '1' && !isNarrow && mayEdit
  const begin = () => go(list ? `/prices/${list.priceListId}?edit=1` : '/prices?edit=1')
  useKeys(
    mayEdit && !isNarrow && !isEditing ? [{ keys: 'n', says: t('newVersion'), act: begin }] : [],
  )
  const compared = lists.find((one) => one.priceListId === other)
  return (
    <Page
      title={t('title')}
      acts={
        !isEditing &&
        !isNarrow && (
          <Button
            kind="main"
            glyph="add"
            refusal={mayEdit ? undefined : t('onlyManagers')}
            onClick={begin}
          >
            {t('newVersion')}
          </Button>
        )
      }
      head={
        <>
          {list && !isEditing && <Glance lists={lists} today={today} pairs={pairs} />}
          <Tabs
            label={t('title')}
            at="prices"
            tabs={[
              { name: 'prices', href: '/prices', title: t('tabPrices') },
              { name: 'codes', href: '/codes', title: t('tabCodes') },
            ]}
          />
        </>
      }
    >
      {pages.failure && lists.length === 0 ? (
        <Failed failure={pages.failure} retry={pages.reload} />
      ) : pages.isLoading ? (
        <Loading />
      ) : isEditing ? (
        <PriceEditor
          key={list?.priceListId ?? 'new'}
          base={list}
          start={list ?? blank(today)}
          today={today}
          pairs={pairs}
          onLeave={() => change({ edit: undefined, cell: undefined })}
          onSaved={(id) => go(`/prices/${id}`)}
        />
      ) : !list ? (
        <Empty glyph="prices" title={t('none')}>
          {t('noneBody')}
        </Empty>
      ) : (
        <div className={css.stack}>
          {isNarrow && <p className="mut">{t('readOnly')}</p>}
          <div className={css.bar}>
            <VersionChoice
              label={t('version')}
              lists={lists}
              value={list.priceListId}
              today={today}
              onChange={(id) => go(`/prices/${id}`)}
            />
            <VersionChoice
              label={t('compareWith')}
              lists={lists.filter((one) => one.priceListId !== list.priceListId)}
              value={compared?.priceListId ?? ''}
              none={t('nothing')}
              today={today}
              onChange={(id) => change({ with: id })}
            />
          </div>
          {compared ? (
            <PriceDifference
              {...(compared.version < list.version
                ? { was: compared, is: list }
                : { was: list, is: compared })}
            />
          ) : (
            <PriceView list={list} pairs={pairs} />
          )}
        </div>
      )}
    </Page>
  )
}

/** The overview: in force today, next, not covered. */
function Glance({
  lists,
  today,
  pairs,
}: {
  readonly lists: readonly PriceList[]
  readonly today: string
  readonly pairs: readonly UsedLanguagePair[]
}) {
  const t = useWords<Key>('prices')
  const writers = useWriters()
  const current = inForce(lists, today)
  const next = nextOf(lists, today)
  const holes = current ? holesIn(current.lines, pairs, usualService).length : pairs.length
  const day = (text: string) => writers.dateYear(`${text}T12:00:00Z`)
  return (
    <Facts
      facts={[
        {
          name: t('inForce'),
          value: current ? (
            t('since', { version: current.version, day: day(current.validFrom) })
          ) : (
            <Pill look="rejected" glyph="error">
              {t('noneInForce')}
            </Pill>
          ),
        },
        {
          name: t('next'),
          value: next
            ? t('from', { version: next.version, day: day(next.validFrom) })
            : t('noNext'),
        },
        {
          name: t('coverage'),
          value:
            holes > 0 ? (
              <Pill look="review" glyph="error">
                {t('holes', { count: holes })}
              </Pill>
            ) : (
              <Pill look="approved" glyph="approved">
                {t('allCovered', { count: pairs.length })}
              </Pill>
            ),
        },
      ]}
    />
  )
}

function VersionChoice({
  label,
  lists,
  value,
  none,
  today,
  onChange,
}: {
  readonly label: string
  readonly lists: readonly PriceList[]
  readonly value: string
  readonly none?: string
  readonly today: string
  readonly onChange: (priceListId: string) => void
}) {
  const t = useWords<Key>('prices')
  const current = inForce(lists, today)
  const title = (list: PriceList) =>
    `${t('versionTitle', { version: list.version, name: list.name, day: list.validFrom })}${list === current && none === undefined ? ` · ${t('inForce')}` : ''}`
  return (
    <ChoiceField
      label={label}
      value={value}
      onChange={onChange}
      choices={[
        ...(none === undefined ? [] : [{ value: '', title: none }]),
        ...lists.map((list) => ({ value: list.priceListId, title: title(list) })),
      ]}
    />
  )
}
