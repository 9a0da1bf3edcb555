/**
 * Reads the JSON body of a call and checks it against its schema: a small body at once, a large one
 * in slices with pauses for other calls.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import { openPauses, yieldWholeTurn } from '../../turns/pauses.ts'
import { readJson } from './json-body.ts'
import { readLargeJson, sliceBytes } from './large-json.ts'

export type Wanted = {
  /** The check, as a generator that pauses. */
  readonly steps: (body: unknown) => Generator<void>
  readonly mayBeEmpty: boolean
  readonly maxValues: number
}

export function readBody(request: FastifyRequest, wanted: Wanted): unknown {
  const bytes = withoutBom(request.body as Buffer | undefined)
  if (!bytes?.length) return checked(wanted.mayBeEmpty ? {} : undefined, wanted)
  mustBeJson(request)
  if (bytes.length <= sliceBytes) return checked(readJson(bytes, wanted.maxValues), wanted)
  // The log shows its beginning; the rest is released once it is parsed, because the call may take
  // a while.
  request.body = Buffer.from(bytes.subarray(0, sliceBytes))
  return checkedInTurns(readLargeJson(bytes, wanted.maxValues), wanted)
}

/** Some programs begin each text with a BOM. */
const withoutBom = (bytes: Buffer | undefined): Buffer | undefined =>
  bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

function checked(body: unknown, { steps }: Wanted): unknown {
  for (const _ of steps(body));
  return body
}

async function checkedInTurns(reading: Promise<unknown>, { steps }: Wanted): Promise<unknown> {
  const body = await reading
  await yieldWholeTurn()
  const pause = openPauses(yieldWholeTurn)
  for (const _ of steps(body)) {
    const wait = pause()
    if (wait) await wait
  }
  await yieldWholeTurn()
  return body
}

function mustBeJson({ headers }: FastifyRequest): void {
  const type = headers['content-type']
  if (type && !/^application\/(?:[\w.-]+\+){0,4}json\s*(?:;|$)/i.test(type))
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given: type.slice(0, 100),
      wanted: 'application/json',
    })
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity')
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given: `encoded as ${encoding.slice(0, 100)}`,
      wanted: 'it plain',
    })
}
