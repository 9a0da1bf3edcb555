/** What the parts of the page share. */
import type { ReactNode } from 'react'
import type en from '../../words/en/health.json'

export type Key = keyof typeof en
/** The title and the tabs around each part. */
export type PartProps = { readonly frame: { readonly title: string; readonly head: ReactNode } }
