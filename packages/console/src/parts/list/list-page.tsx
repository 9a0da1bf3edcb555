/**
 * A page that is one list: what is filtered above the rows, the open row beside them, and the forms
 * over them. Loading, errors, paging, keys and the place that Back returns to are the grid's.
 */
import type { ComponentProps, ReactNode } from 'react'
import { useKeys } from '../../keys.ts'
import { useSearchState } from '../../search.ts'
import { Button } from '../controls.tsx'
import { Page } from '../page.tsx'
import css from './list.module.css'
import { List, type ListProps } from './list.tsx'

type PageProps = Pick<ComponentProps<typeof Page>, 'beside' | 'head' | 'inspector'>
type Form = (close: () => void) => ReactNode
type ListPageProps<Row> = PageProps &
  Omit<ListProps<Row>, 'label'> & {
    /** What the list is called, if not as the page. */
    readonly label?: string
    readonly title: string
    /** Gives each of several lists that are shown in turn a place of its own. */
    readonly listKey?: string
    readonly acts?: ReactNode
    /** The button for a new row; its key is n. Without `act` it opens the form `new`. */
    readonly create?: {
      readonly says: string
      readonly refusal: string | undefined
      readonly act?: () => void
    }
    /** The forms over the page, by the name that the URL has in `form`. */
    readonly forms?: Readonly<Record<string, Form | false | undefined>>
    readonly bar?: ReactNode
    readonly foot?: ReactNode
    /** Puts something around the rows. */
    readonly around?: (rows: ReactNode) => ReactNode
    /** With room between the bar, the rows and the foot. */
    readonly isSpaced?: boolean
    /** Dialogs. */
    readonly children?: ReactNode
  }

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, beside, head, inspector, acts, ...rest } = props
  const { listKey, create, forms, bar, foot, around = same, isSpaced, children, ...list } = rest
  const [{ form: name = '' }, change] = useSearchState()
  const begin = create?.act ?? (() => change({ form: 'new' }, 'push'))
  const mayCreate = create !== undefined && create.refusal === undefined
  useKeys(mayCreate ? [{ keys: 'n', says: create.says, act: begin }] : [])
  const form = forms && Object.hasOwn(forms, name) && forms[name]
  const rows = (
    <>
      {bar}
      {around(<List key={listKey} label={title} {...(list as Omit<ListProps<Row>, 'label'>)} />)}
      {foot}
    </>
  )
  return (
    <Page
      {...{ title, beside, head, inspector }}
      fills
      acts={
        (acts || create) && (
          <>
            {acts}
            {create && (
              <Button kind="main" glyph="add" refusal={create.refusal} onClick={begin}>
                {create.says}
              </Button>
            )}
          </>
        )
      }
    >
      {isSpaced ? <div className={css.spaced}>{rows}</div> : rows}
      {form && form(() => change({ form: undefined }))}
      {children}
    </Page>
  )
}

const same = (rows: ReactNode): ReactNode => rows
