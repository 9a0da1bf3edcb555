/** What the lists of clients and of people have in common: one form, for a new item or an old one. */
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { ListPage } from '../../parts/list/list-page.tsx'
import { useRowInQuery } from '../../parts/list/open-row.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'

type ListPageProps<Item> = ComponentProps<typeof ListPage<Item>>
type Props<Item> = Pick<ListPageProps<Item>, 'pages' | 'idOf' | 'columns' | 'none'> & {
  readonly tabs: ReactNode
  readonly label: string
  /** The name of the URL parameter for the selected item. */
  readonly name: 'client' | 'person'
  readonly create: string
  readonly inspector: (item: Item, onClose: () => void, onChange: () => void) => ReactNode
  readonly form: (
    item: Item | undefined,
    onClose: () => void,
    onDone: (id: string) => void,
  ) => ReactNode
}

export function AccessList<Item>(props: Props<Item>) {
  const { tabs, name, create, inspector, form, ...list } = props
  const t = useWords<keyof typeof en>('access')
  const [, change] = useSearchState()
  const mayChange = useMay('admin')
  const open = useRowInQuery(name)
  const item = list.pages.items.find((one) => list.idOf(one) === open.id)
  // The item that a link names may be on a later page.
  const { hasMore, isFetching, loadMore } = list.pages
  const isFurther = open.id !== undefined && !item && hasMore && !isFetching
  useEffect(() => {
    if (isFurther) loadMore()
  })
  return (
    <ListPage
      title={t('title')}
      head={tabs}
      {...list}
      open={open}
      create={{ says: create, refusal: mayChange ? undefined : t('onlyAdmins') }}
      inspector={item && inspector(item, open.close, () => change({ form: 'change' }, 'push'))}
      forms={{
        new: (close) => form(undefined, close, (id) => change({ [name]: id, form: undefined })),
        change: item && ((close) => form(item, close, close)),
      }}
    />
  )
}
