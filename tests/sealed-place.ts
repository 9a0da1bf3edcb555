/** For tests of sealed content: a connector with files, and a search through all rows and files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type FileClient, openFileClient, type Transfer } from './faults/file-client.ts'
import type { TestHub } from './hub.ts'

export type Connector = FileClient & {
  readonly jobId: string
  /** Returns the file's id. */
  sendWhole(name: string, bytes: Uint8Array): Promise<string>
  /** By TUS, in pieces of these sizes and one for the rest. */
  sendPieces(name: string, bytes: Uint8Array, sizes: readonly number[]): Promise<string>
  fetchFile(fileId: string, headers?: Record<string, string>): Promise<Buffer>
  readonly transfers: Map<string, Transfer>
}

export async function openConnector(hub: TestHub): Promise<Connector> {
  const client = openFileClient(() => hub.url)
  const jobId = String((await client.createJob('Sealed')).body.jobId)
  const transfers = new Map<string, Transfer>()
  const begin = async (name: string) => {
    const transfer = await client.begin(jobId, name)
    transfers.set(transfer.fmsFileId, transfer)
    return transfer
  }
  return {
    ...client,
    jobId,
    transfers,
    sendWhole: async (name, bytes) => {
      const transfer = await begin(name)
      expect((await client.post(transfer, bytes)).status).toBe(201)
      return transfer.fmsFileId
    },
    sendPieces: async (name, bytes, sizes) => {
      const transfer = await begin(name)
      const upload = await client.beginTus(transfer, bytes.byteLength)
      let offset = 0
      for (const size of [...sizes, bytes.byteLength]) {
        const piece = bytes.subarray(offset, offset + size)
        if (piece.byteLength === 0) continue
        expect((await client.patch(transfer, upload, offset, piece)).status).toBe(204)
        offset += piece.byteLength
        expect(await client.offset(transfer, upload)).toBe(offset)
      }
      return transfer.fmsFileId
    },
    fetchFile: async (fileId, headers = {}) =>
      (await client.read(await client.link(jobId, fileId), headers)).bytes,
  }
}

/**
 * The tables, and the files below the data folder except the database's own, that contain a text.
 */
export async function placesOf(hub: TestHub, text: string): Promise<string[]> {
  const forms = [text, JSON.stringify(text).slice(1, -1)]
  const found = new Set<string>()
  const { read, name: database } = hub.inner.db
  const { rows: tables } = await (database === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(read)
  expect(tables.length).toBeGreaterThan(30)
  for (const { name } of tables) {
    const rows = await read
      .selectFrom(name as 'jobs')
      .selectAll()
      .execute()
    const shown = JSON.stringify(rows, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    if (
      forms.some(
        (form) => shown.includes(form) || shown.includes(JSON.stringify(form).slice(1, -1)),
      )
    )
      found.add(name)
  }
  const entries = readdirSync(hub.folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile() || /\.db(-wal|-shm)?$/.test(entry.name)) continue
    if (readFileSync(join(entry.parentPath, entry.name)).includes(text)) found.add(entry.name)
  }
  return [...found].sort()
}
