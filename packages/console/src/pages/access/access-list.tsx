/**
 * The layout of a list of clients or people: the list, the selected item beside it, and the form
 * over it.
 */
import { type ReactNode, useEffect } from 'react'
import { useKeys } from '../../keys.ts'
import { Button } from '../../parts/controls.tsx'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Page } from '../../parts/page.tsx'
import type { Pages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useMay } from '../../session.tsx'
import type en from '../../words/en/access.json'
import { useWords } from '../../words/words.ts'

type Props<Item> = {
  readonly tabs: ReactNode
  readonly label: string
  /** The name of the URL parameter for the selected item. */
  readonly name: 'client' | 'person'
  readonly create: string
  readonly pages: Pages<Item>
  readonly idOf: (item: Item) => string
  readonly columns: readonly Column<Item>[]
  readonly empty: ReactNode
  readonly inspector: (item: Item, onClose: () => void, onChange: () => void) => ReactNode
  /** The form for a new item, or for the selected one. */
  readonly form: (
    item: Item | undefined,
    onClose: () => void,
    onDone: (id: string) => void,
  ) => ReactNode
}

export function AccessList<Item>({
  tabs,
  label,
  name,
  create,
  pages,
  idOf,
  columns,
  empty,
  ...rest
}: Props<Item>) {
  const t = useWords<keyof typeof en>('access')
  const [search, change] = useSearchState()
  const mayChange = useMay('admin')
  const selected = search[name]
  const item = pages.items.find((one) => idOf(one) === selected)
  const begin = () => change({ form: 'new' }, 'push')
  const close = () => change({ form: undefined })
  useKeys(mayChange ? [{ keys: 'n', says: create, act: begin }] : [])
  // The item that a link names may be on a later page.
  const { hasMore, isFetching, loadMore } = pages
  const isFurther = selected !== undefined && !item && hasMore && !isFetching
  useEffect(() => {
    if (isFurther) loadMore()
  })
  return (
    <Page
      title={t('title')}
      head={tabs}
      fills
      acts={
        <Button
          kind="main"
          glyph="add"
          refusal={mayChange ? undefined : t('onlyAdmins')}
          onClick={begin}
        >
          {create}
        </Button>
      }
      inspector={
        item &&
        rest.inspector(
          item,
          () => change({ [name]: undefined }),
          () => change({ form: 'change' }, 'push'),
        )
      }
    >
      <Grid
        {...{ label, pages, idOf, columns, empty, selected }}
        onOpen={(one) => change({ [name]: idOf(one) }, 'push')}
      />
      {search.form === 'new' &&
        rest.form(undefined, close, (id) => change({ [name]: id, form: undefined }))}
      {search.form === 'change' && item && rest.form(item, close, close)}
    </Page>
  )
}
