/**
 * The manifest of a backup: one line of JSON about it, one line for each file with its size and
 * sha256, and at the end the sha256 of all lines before and a MAC of them under a key derived from
 * the master key: whoever changes a backup cannot make it. It is written last: a backup without a
 * manifest does not exist. Version 1 has no MAC.
 */
import { hash } from 'node:crypto'
import { isBlobId } from '../../../blobs/blob-store.ts'
import { parseJson } from '../../../process/parse.ts'
import type { CopyFormat } from '../../../store/database.ts'
import { Refusal } from '../../../store/refusal.ts'
import { isSameText } from '../../../store/same-text.ts'
import type { Vault } from '../../../store/vault.ts'

/** A stored file of the backup. */
export type Piece = { readonly blobId: string; readonly size: number; readonly sha256: string }

export type Header = {
  readonly format: 'dragoman-backup'
  readonly version: number
  readonly id: string
  /** Milliseconds since 1970, UTC. */
  readonly at: number
  /** The hub that was backed up; backups of several hubs do not share a place. */
  readonly hubId: string
  readonly hubVersion: string
  readonly engine: CopyFormat
  /** The number of its newest migration. */
  readonly schema: number
  readonly database: Piece
  readonly files: number
  /** The files and the database are counted together. */
  readonly bytes: number
  /** Files that the hub itself had lost. */
  readonly missing: readonly string[]
  /** Opens only under the master key of the hub. */
  readonly vaultCheck: string
}

export type Manifest = {
  readonly header: Header
  readonly files: readonly Piece[]
  /** What the MAC covers, and the MAC; absent in version 1. */
  readonly signed?: { readonly body: string; readonly mac: string }
}

export const manifestVersion = 2
const readVersions: readonly number[] = [1, 2]

const macOf = (vault: Vault, body: string): string => vault.sign('backup', body).toString('hex')

/** Whether the hub with this master key wrote it, and nobody changed it since. */
export const isProven = (vault: Vault, { signed }: Manifest): boolean =>
  signed !== undefined && isSameText(signed.mac, macOf(vault, signed.body))

export function writeManifest(vault: Vault, { header, files }: Manifest): Buffer {
  const lines = files.map(({ blobId, size, sha256 }) => `${blobId} ${size} ${sha256}\n`)
  const text = `${JSON.stringify(header)}\n${lines.join('')}`
  return Buffer.from(`${text}${hash('sha256', text)}\n${macOf(vault, text)}\n`)
}

export function readManifest(id: string, bytes: Buffer): Manifest {
  const whole = bytes.toString('utf8')
  const isSigned = readHeader(id, whole).version > 1
  const text = isSigned ? whole.slice(0, -65) : whole
  const end = text.length - 65
  const body = text.slice(0, end)
  if (!body.endsWith('\n') || text.slice(end) !== `${hash('sha256', body)}\n`) {
    // Another version may end its manifests in another way.
    readHeader(id, text)
    throw damaged(id)
  }
  const header = readHeader(id, body)
  const files = body
    .slice(body.indexOf('\n') + 1, -1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => pieceOf(id, line))
  if (files.length !== header.files) throw damaged(id)
  return { header, files, ...(isSigned && { signed: { body, mac: whole.slice(-65, -1) } }) }
}

/** The first line, from the beginning of a manifest. */
export function readHeader(id: string, text: string): Header {
  const header = parseJson(text.slice(0, text.indexOf('\n'))) as Partial<Header> | undefined
  if (header?.format !== 'dragoman-backup' || typeof header.version !== 'number') throw damaged(id)
  if (!readVersions.includes(header.version))
    throw new Refusal(
      `Backup ${id} was written by another version of Dragoman (${header.hubVersion}; manifest version ${header.version}, this one reads ${manifestVersion}). Use that version.`,
    )
  return header as Header
}

function pieceOf(id: string, line: string): Piece {
  const [blobId = '', size = '', sha256 = ''] = line.split(' ')
  if (!isBlobId(blobId) || !/^\d{1,15}$/.test(size) || !/^[0-9a-f]{64}$/.test(sha256))
    throw damaged(id)
  return { blobId, size: Number(size), sha256 }
}

const damaged = (id: string): Refusal =>
  new Refusal(`The manifest of backup ${id} is damaged. Use another backup (dragoman backup list).`)
