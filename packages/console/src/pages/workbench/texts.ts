/** The names of the texts of the workbench. */
import type en from '../../words/en/workbench.json'

export type Key = keyof typeof en
