/** What the parts of the page share. */
import type { ComponentProps } from 'react'
import type { Page } from '../../parts/page.tsx'
import type en from '../../words/en/health.json'

export type Key = keyof typeof en
/** The title and the tabs around each part. */
export type PartProps = { readonly frame: Pick<ComponentProps<typeof Page>, 'title' | 'head'> }
