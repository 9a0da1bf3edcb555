/** What the files of this page share. */
import type en from '../../words/en/reports.json'

export type Key = keyof typeof en
