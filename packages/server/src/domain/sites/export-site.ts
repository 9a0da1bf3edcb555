/**
 * Everything of one site as one tar stream, for a customer who leaves: its rows as JSON lines and
 * its files, in clear even if they are sealed here. No secrets. Read page by page beside a running
 * hub, so it holds little memory, and what changes meanwhile is in it as it was when its page was
 * read.
 */
import { formatTime, HubError } from '@dragoman/contract'
import { BlobMissing, BlobTrouble, type OpenBlob } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import { version } from '../../process/version.ts'
import type { FileRow, SourceContentRow } from '../../store/tables.ts'
import { commandLine, recordActs } from '../access/audit/record-acts.ts'
import { hasStayingSite } from '../access/sites.ts'
import { sealedNames } from '../engines/drivers/sealed-config.ts'
import { storeOf } from '../files/blob-place.ts'
import { noteColumns, openNote } from '../files/seals/notes.ts'
import { everyStoredFile } from '../files/stored-files.ts'
import { openFields } from '../jobs/requests/sealed-contents.ts'
import { type ExportedRow, exportOfSite, rowsOfSite } from './export-rows.ts'
import { tarEnd, tarEntry } from './tar.ts'

/**
 * The lines of a table are written in parts of about this size, because a tar entry begins with its
 * size.
 */
const partBytes = 1024 ** 2

/** `problem` is called for each file whose bytes cannot be read; the export goes on without it. */
export async function* exportSite(
  hub: Hub,
  siteId: string,
  problem: (sentence: string) => void,
): AsyncGenerator<Uint8Array> {
  if (!(await hasStayingSite(hub.db.read, siteId))) throw new HubError('SITE_NOT_FOUND', { siteId })
  const now = hub.clock.now()
  await hub.db.transact((tx) =>
    recordActs(hub, tx, commandLine(), [{ thing: 'site', verb: 'exported', id: siteId, siteId }]),
  )
  const leftOut = Object.entries(exportOfSite).flatMap(([table, fate]) =>
    'leftOut' in fate ? [[table, fate.leftOut]] : [],
  )
  const about = {
    siteId,
    exportedDate: formatTime(now),
    version,
    leftOut: Object.fromEntries(leftOut),
  }
  yield* textEntry('export.json', `${JSON.stringify(about, null, 2)}\n`, now)
  for (const [table, fate] of Object.entries(exportOfSite)) {
    if ('leftOut' in fate) continue
    yield* tableEntries(
      table,
      clear(hub, siteId, table, rowsOfSite(hub.db.read, siteId, table, fate)),
      now,
    )
  }
  for await (const file of everyStoredFile(hub.db.read, siteId))
    yield* fileEntry(hub, file, problem)
  yield tarEnd()
}

async function* tableEntries(
  table: string,
  rows: AsyncIterable<ExportedRow>,
  now: number,
): AsyncGenerator<Uint8Array> {
  let lines = ''
  let part = 0
  const flush = () => {
    part += 1
    const text = lines
    lines = ''
    return textEntry(`rows/${table}-${String(part).padStart(6, '0')}.jsonl`, text, now)
  }
  for await (const row of rows) {
    lines += `${JSON.stringify(row)}\n`
    if (lines.length >= partBytes) yield* flush()
  }
  if (lines !== '') yield* flush()
}

/** Opens what is sealed for the customer, and leaves out what is a secret of the hub. */
async function* clear(
  hub: Hub,
  siteId: string,
  table: string,
  rows: AsyncIterable<ExportedRow>,
): AsyncGenerator<ExportedRow> {
  const notes = noteColumns.filter((column) => column.table === table).map(({ column }) => column)
  for await (const row of rows) {
    if (table === 'source_contents') {
      const content = row as SourceContentRow
      yield { ...row, fields: await openFields(hub, siteId, content.job_id, content) }
    } else if (table === 'providers') yield { ...row, config: withoutSecrets(String(row.config)) }
    else yield withNotes(hub, row, notes)
  }
}

/** A note that does not open is null. */
function withNotes(hub: Hub, row: ExportedRow, notes: readonly string[]): ExportedRow {
  const given = notes.filter((name) => typeof row[name] === 'string')
  if (given.length === 0) return row
  return {
    ...row,
    ...Object.fromEntries(given.map((name) => [name, openNote(hub, String(row[name]))])),
  }
}

function withoutSecrets(config: string): string {
  const secrets = sealedNames(config)
  const entries = Object.entries(JSON.parse(config) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(entries.filter(([name]) => !secrets.includes(name))))
}

const textEntry = (name: string, text: string, modifiedAt: number): AsyncGenerator<Uint8Array> => {
  const bytes = Buffer.from(text)
  return tarEntry({ name, size: bytes.length, modifiedAt, bytes: [bytes] })
}

async function* fileEntry(
  hub: Hub,
  { blob_id, ...file }: FileRow,
  problem: (sentence: string) => void,
): AsyncGenerator<Uint8Array> {
  if (blob_id === null) return
  const name = `files/${file.job_id}/${file.file_id}/${plainName(file.name)}`
  const blob = await openFile(hub, { ...file, blob_id }).catch((error: unknown) => {
    if (!(error instanceof BlobMissing) && !(error instanceof BlobTrouble)) throw error
    problem(
      `File ${file.file_id} of job ${file.job_id} (${file.name}) cannot be read: ${error.message}`,
    )
  })
  // Once its header is written, trouble with its bytes ends the export: a reader would be lost.
  if (blob)
    yield* tarEntry({ name, size: blob.size, modifiedAt: file.created_at, bytes: blob.stream })
}

const openFile = async (hub: Hub, file: Parameters<typeof storeOf>[1]): Promise<OpenBlob> =>
  (await storeOf(hub, file)).open(file.blob_id)

/** One step of a path on any system. */
function plainName(name: string): string {
  const plain = Array.from(name, (letter) =>
    letter < ' ' || '/\\:*?"<>|\u007f'.includes(letter) ? '_' : letter,
  ).join('')
  return /^\.*$/.test(plain) ? 'file' : plain
}
