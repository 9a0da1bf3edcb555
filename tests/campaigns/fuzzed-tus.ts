/**
 * A random walk over one TUS upload: valid and invalid calls in any order, with a ledger of what
 * was acknowledged. What the hub reports about the upload at any moment, and the file in the end,
 * must match the ledger.
 */
import { createHash } from 'node:crypto'
import type { RawAnswer, RawCall } from '../raw-call.ts'
import { headerText, sendBy, within } from './fuzzed-form.ts'
import { pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'
import {
  chunkType,
  type Headers,
  type Ledger,
  meant,
  tokenOf,
  version,
  type Walk,
} from './transfer-walk.ts'
import { strayCall, wrongCreate } from './wrong-tus.ts'

const isFile = ({ bytes, offset }: Ledger): boolean => offset === bytes.length

export async function walkTus(walk: Walk): Promise<void> {
  const { chance, mustHold } = walk
  let ledger: Ledger | undefined
  for (let steps = 2 + within(chance, 12); steps > 0; steps -= 1) {
    if (chance() < 0.35) await strayCall(walk, ledger)
    else if (!ledger) ledger = chance() < 0.3 ? await wrongCreate(walk) : await create(walk)
    else if (chance() < 0.1) ledger = await rush(walk, ledger)
    else if (chance() < 0.15) await head(walk, ledger)
    else if (chance() < 0.07) ledger = await remove(walk, ledger)
    else ledger = await patch(walk, ledger)
    if (ledger && isFile(ledger)) {
      await mustHold(ledger.bytes)
      await head(walk, ledger)
      return
    }
  }
  if (ledger) await head(walk, ledger)
  await mustHold(undefined)
}

function checksumOf(chance: Chance, sent: Buffer): { headers: Headers; isRight: boolean } {
  if (chance() < 0.6) return { headers: [], isRight: true }
  const algorithm = pick(chance, ['sha1', 'sha256'])
  const isRight = chance() < 0.6
  const of = isRight ? sent : Buffer.concat([sent, Buffer.from('!')])
  const digest = createHash(algorithm).update(of).digest('base64')
  return { headers: [['upload-checksum', `${algorithm} ${digest}`]], isRight }
}

const metadataOf = (chance: Chance): string | undefined =>
  chance() < 0.5
    ? undefined
    : `name ${Buffer.from(headerText(chance).slice(0, 90)).toString('base64')},contentType ${Buffer.from(
        pick(chance, [
          'text/plain',
          'text/html;\r\n x=y',
          'a/b\r\nx: y',
          '',
          'text/plain; charset=utf-8',
        ]),
      ).toString('base64')},k${within(chance, 9)}`

async function create(walk: Walk): Promise<Ledger | undefined> {
  const { chance, transfer, call, found } = walk
  const bytes = Buffer.from(Array.from({ length: within(chance, 900) }, () => within(chance, 256)))
  const metadata = metadataOf(chance)
  const path = new URL(transfer.fmsUploadUrl).pathname
  const base: Headers = [
    ...[tokenOf(walk), version],
    ['upload-length', String(bytes.length)],
    ...(metadata === undefined ? [] : [['upload-metadata', metadata] as const]),
  ]
  if (chance() < 0.6) {
    const made = await call({ ...meant(chance, 'POST', base), path, body: '' })
    return begun(walk, made, { path: '', bytes, offset: 0, metadata })
  }
  const sent = bytes.subarray(0, within(chance, bytes.length + 1))
  const { headers, isRight } = checksumOf(chance, sent)
  const made = await call({
    ...meant(chance, 'POST', [...base, chunkType, ...headers]),
    path,
    ...sendBy(chance, sent),
  })
  if (!isRight && made?.status !== 460)
    found(`a first chunk with a wrong checksum: ${made?.status}`)
  if (!isRight) return undefined
  if (made?.headers.get('upload-offset') !== String(sent.length))
    found(
      `a creation with ${sent.length} bytes: ${made?.status}, offset ${made?.headers.get('upload-offset')}`,
    )
  return begun(walk, made, { path: '', bytes, offset: sent.length, metadata })
}

function begun({ found }: Walk, made: RawAnswer | undefined, ledger: Ledger): Ledger | undefined {
  const location = made?.headers.get('location')
  if (made?.status !== 201 || location === undefined) {
    found(`a good creation: ${made?.status} ${made?.text}`)
    return undefined
  }
  return { ...ledger, path: location }
}

async function head(walk: Walk, ledger: Ledger): Promise<void> {
  const { chance, call, found } = walk
  const answer = await call({
    ...meant(chance, 'HEAD', [tokenOf(walk), version]),
    path: ledger.path,
  })
  const told = (name: string) => answer?.headers.get(name)
  if (answer?.status !== 200) return found(`HEAD of an upload: ${answer?.status}`)
  if (
    told('upload-offset') !== String(ledger.offset) ||
    told('upload-length') !== String(ledger.bytes.length)
  )
    found(
      `HEAD tells ${told('upload-offset')} of ${told('upload-length')}; ${ledger.offset} of ${ledger.bytes.length}`,
    )
  if (told('upload-metadata') !== ledger.metadata)
    found(`HEAD tells the metadata ${told('upload-metadata')}`)
}

async function remove(walk: Walk, { path }: Ledger): Promise<undefined> {
  const { chance, call, found } = walk
  const answer = await call({ ...meant(chance, 'DELETE', [tokenOf(walk), version]), path })
  if (answer?.status !== 204) found(`DELETE of an upload: ${answer?.status}`)
}

async function patch(walk: Walk, ledger: Ledger): Promise<Ledger> {
  const { chance, call, found } = walk
  const left = ledger.bytes.length - ledger.offset
  const sent = ledger.bytes.subarray(ledger.offset, ledger.offset + within(chance, left + 1))
  const checksum = checksumOf(chance, sent)
  const headers: Headers = [
    ...[tokenOf(walk), version, chunkType],
    ['upload-offset', String(ledger.offset)],
    ...checksum.headers,
  ]
  const path = ledger.path
  if (chance() < 0.2)
    return cut(walk, ledger, { ...meant(chance, 'PATCH', headers), path }, sent, checksum.headers)
  if (chance() < 0.15) {
    const more = Buffer.concat([
      ledger.bytes.subarray(ledger.offset),
      Buffer.alloc(1 + within(chance, 99)),
    ])
    const answer = await call({ ...meant(chance, 'PATCH', headers), path, ...sendBy(chance, more) })
    if (answer?.status !== 413) found(`more bytes than the upload has: ${answer?.status}`)
    return ledger
  }
  const answer = await call({ ...meant(chance, 'PATCH', headers), path, ...sendBy(chance, sent) })
  if (!checksum.isRight) {
    if (answer?.status !== 460) found(`a chunk with a wrong checksum: ${answer?.status}`)
    return ledger
  }
  const offset = ledger.offset + sent.length
  if (answer?.status !== 204 || answer.headers.get('upload-offset') !== String(offset))
    found(
      `${sent.length} bytes at ${ledger.offset}: ${answer?.status}, ${answer?.headers.get('upload-offset')}`,
    )
  return { ...ledger, offset }
}

/** Several at once on one upload. The bytes are the same, so any of them may win. */
async function rush(walk: Walk, ledger: Ledger): Promise<Ledger> {
  const { chance, call, found } = walk
  const { path } = ledger
  const base = [tokenOf(walk), version]
  const write = (): Promise<unknown> => {
    const sent = ledger.bytes.subarray(
      ledger.offset,
      ledger.offset + within(chance, ledger.bytes.length + 1),
    )
    const headers: Headers = [...base, chunkType, ['upload-offset', String(ledger.offset)]]
    return call({ method: 'PATCH', headers, path, ...sendBy(chance, sent) })
  }
  const ask = (): Promise<unknown> => call({ method: 'HEAD', headers: base, path })
  await Promise.all(
    Array.from({ length: 2 + within(chance, 3) }, () => pick(chance, [write, write, ask])()),
  )
  const answer = await call({ method: 'HEAD', headers: base, path })
  const offset = Number(answer?.headers.get('upload-offset'))
  if (!(offset >= ledger.offset && offset <= ledger.bytes.length))
    found(
      `after several at once HEAD tells ${answer?.status} ${offset}; at least ${ledger.offset} is right`,
    )
  return { ...ledger, offset }
}

/** The sender breaks off. The received bytes may be kept; with a checksum only all of them. */
async function cut(
  walk: Walk,
  ledger: Ledger,
  begun: Pick<RawCall, 'method' | 'headers' | 'path'>,
  sent: Buffer,
  checksum: Headers,
): Promise<Ledger> {
  const { chance, call, found } = walk
  const ends = pick(chance, ['half', 'reset'] as const)
  const length = sent.length + 1 + within(chance, 50)
  await call({ ...begun, body: sent, length, ends }, { isCut: true })
  const answer = await call({
    method: 'HEAD',
    path: ledger.path,
    headers: [tokenOf(walk), version],
  })
  const offset = Number(answer?.headers.get('upload-offset'))
  const most = checksum.length > 0 ? ledger.offset : ledger.offset + sent.length
  if (!(offset >= ledger.offset && offset <= most))
    found(
      `after a chunk that was cut HEAD tells ${offset}; from ${ledger.offset} to ${most} is right`,
    )
  return { ...ledger, offset }
}
