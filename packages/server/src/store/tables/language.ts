import type { MemoryImportState } from '@dragoman/contract'
import type { Generated, Selectable } from 'kysely'
import type { Json, Time } from './columns.ts'

/**
 * A site's translations between two languages. `last_unit` is the last number given out; its row is
 * the lock.
 */
type MemoryTable = {
  memory_id: Generated<number>
  site_id: string
  source_language: string
  target_language: string
  last_unit: number
  /**
   * The last unit before those whose postings an import has yet to write; null if there are none.
   */
  indexed_unit: Generated<number | null>
}

/** A text and its translation; one per text. */
type MemoryUnitTable = {
  memory_id: number
  unit_id: number
  source_hash: string
  source: string
  target: string
  /** A hash of the texts before and after it, if known. */
  context: string | null
  /** The TM update, import or request that it last came from; `manual` for a change by hand. */
  origin: string
  changed_at: Time
  /** Counts up with every change. */
  version: Generated<number>
  /** The person or client of a change by hand. */
  changed_by: string | null
}

/**
 * A TMX file on its way into the memory. Its bytes are a blob of its own or an uploaded file, and
 * the blob goes with its end.
 */
type MemoryImportTable = {
  import_id: string
  site_id: string
  /** Both null: those that the file names. */
  source_language: string | null
  target_language: string | null
  state: MemoryImportState
  error: string | null
  file_id: string | null
  blob_id: string | null
  size: number | null
  /** The key of a sealed blob, itself sealed. */
  blob_key: string | null
  /** Units of the file already processed; an interrupted import continues after them. */
  units_read: number
  units_added: number
  units_changed: number
  units_skipped: number
  units_total: number | null
  created_at: Time
  cause_id: string
}

/**
 * The pieces by which a unit is found, and its tokens as bits; of units with the same tokens only
 * the first is here.
 */
type MemoryPostingTable = { memory_id: number; piece: number; unit_id: number; signature: number }

/** A concept of the site's terminology, with its names in all languages. */
type TermTable = {
  term_id: string
  site_id: string
  definition: string | null
  /** As they are sent. */
  entries: Json
  /** Each in lower case, between blanks. */
  languages: string
  /** The texts and forms in lower case, one a line. */
  texts: string
  /** The beginning of the first text in lower case. */
  sort_key: string
  /** Hashes of the languages and texts, and of everything: what an import compares. */
  same_key: string
  content_key: string
  bytes: number
  version: number
  created_at: Time
  modified_at: Time
  cause_id: string
}

export type LanguageTables = {
  memories: MemoryTable
  memory_units: MemoryUnitTable
  memory_imports: MemoryImportTable
  memory_postings: MemoryPostingTable
  terms: TermTable
}

export type MemoryRow = Selectable<MemoryTable>
export type MemoryUnitRow = Selectable<MemoryUnitTable>
export type MemoryImportRow = Selectable<MemoryImportTable>
export type TermRow = Selectable<TermTable>
