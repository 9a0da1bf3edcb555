/**
 * Reads the JSON body of a call and checks it against its schema: a small body at once, a large one in slices with pauses for
 * other calls.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'
import { yieldWholeTurn } from '../../yield-for-bytes.ts'
import { readJson } from './json-body.ts'
import { readLargeJson, sliceBytes } from './large-json.ts'

export type Wanted = {
  /** The check, as a generator that pauses. */
  readonly steps: (body: unknown) => Generator<void>
  readonly mayBeEmpty: boolean
  readonly maxValues: number
}

/** How long a check runs before it pauses. */
const maxMs = 10

export function readBody(request: FastifyRequest, wanted: Wanted): unknown {
  const bytes = request.body as Buffer | undefined
  if (!bytes?.length) return checked(wanted.mayBeEmpty ? {} : undefined, wanted)
  mustBeJson(request)
  return bytes.length > sliceBytes ? readInTurns(bytes, wanted) : checked(readJson(bytes, wanted.maxValues), wanted)
}

function checked(body: unknown, { steps }: Wanted): unknown {
  for (const _ of steps(body));
  return body
}

async function readInTurns(bytes: Buffer, { steps, maxValues }: Wanted): Promise<unknown> {
  const body = await readLargeJson(bytes, maxValues)
  await yieldWholeTurn()
  let begun = performance.now()
  for (const _ of steps(body))
    if (performance.now() - begun > maxMs) {
      await yieldWholeTurn()
      begun = performance.now()
    }
  await yieldWholeTurn()
  return body
}

function mustBeJson({ headers }: FastifyRequest): void {
  const type = headers['content-type']
  if (type && !/^application\/(?:[\w.-]+\+){0,4}json\s*(?:;|$)/i.test(type))
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', { given: type.slice(0, 100), wanted: 'application/json' })
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity')
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', { given: `encoded as ${encoding.slice(0, 100)}`, wanted: 'it plain' })
}
