/** What the files of this page have in common. */
import type en from '../../words/en/reports.json'

export type Key = keyof typeof en
