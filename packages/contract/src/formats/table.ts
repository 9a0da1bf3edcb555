/**
 * The formats that the hub reads and writes. If formats share an extension, the first row that
 * recognises the file wins. To add one: its row here, its reader in the server. docs/formats.md,
 * `GET /v2/formats`, `dragoman formats` and detection follow.
 */
import { appFormats } from './apps.ts'
import { bilingualFormats } from './bilingual.ts'
import { documentFormats } from './documents.ts'
import { officeFormats } from './office.ts'
import { softwareFormats } from './software.ts'

export const formatRows = {
  ...appFormats,
  ...softwareFormats,
  ...bilingualFormats,
  ...documentFormats,
  ...officeFormats,
} as const

export type FormatId = keyof typeof formatRows
export const formatIds = Object.keys(formatRows) as readonly FormatId[]
export const isFormatId = (id: string): id is FormatId => Object.hasOwn(formatRows, id)
