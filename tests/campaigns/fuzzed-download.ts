/**
 * A random walk over one stored file: changed signed URLs, odd ranges; the returned bytes are
 * always the file's.
 */
import type { RawAnswer } from '../raw-call.ts'
import { headerText, within } from './fuzzed-form.ts'
import { pick } from './fuzzed-text.ts'
import type { Walk } from './transfer-walk.ts'

export async function walkDownload(walk: Walk): Promise<void> {
  const { chance, transfer, call, found, link } = walk
  const bytes = Buffer.from(
    Array.from({ length: within(chance, 3_000) }, () => within(chance, 256)),
  )
  const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
  const form = new FormData()
  form.set('file', new Blob([bytes]), 'x')
  const sent = new Response(form)
  const body = Buffer.from(await sent.arrayBuffer())
  const headers = [['content-type', sent.headers.get('content-type') ?? '']] as const
  const stored = await call({ method: 'POST', path: pathname + search, headers, body })
  const address = await link()
  if (stored?.status !== 201 || address === undefined)
    return found(`a good form: ${stored?.status}`)
  const { pathname: path, searchParams } = new URL(address)
  for (let left = 1 + within(chance, 10); left > 0; left -= 1) {
    const method = pick(chance, ['GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
    if (chance() < 0.3) {
      const answer = await call({ method, path: changed(walk, path, searchParams) })
      if (answer && answer.status < 300) found(`a changed address was taken: ${answer.status}`)
      continue
    }
    const asked = headersOf(walk, bytes.length)
    const answer = await call({ method, path: `${path}?${searchParams}`, headers: asked })
    if (method === 'GET' && answer) compare(walk, answer, bytes)
  }
}

function changed({ chance }: Walk, path: string, given: URLSearchParams): string {
  const query = new URLSearchParams(given)
  const name = pick(chance, [...query.keys()])
  pick(chance, [
    () => query.delete(name),
    () => query.append(name, query.get(name) ?? ''),
    () => query.set(name, `${query.get(name)}0`),
    () => query.set(name, headerText(chance)),
    () => query.set(name, pick(chance, ['', '0', '-1', '1e99', '9'.repeat(40), '\0', '__proto__'])),
  ])()
  if (chance() < 0.7) return `${path}?${query}`
  return `${path.slice(0, path.lastIndexOf('/'))}/${pick(chance, ['%00', '%', '..', 'x', 'a.b.c', '%2f', ''])}?${given}`
}

function headersOf({ chance }: Walk, size: number): [string, string][] {
  const number = () =>
    String(pick(chance, [0, 1, size - 1, size, size + 1, within(chance, size + 1), 10 ** 17]))
  const span = () =>
    pick(chance, [() => `${number()}-${number()}`, () => `-${number()}`, () => `${number()}-`])()
  const many = (most: number) =>
    Array.from({ length: 1 + within(chance, most) }, span).join(pick(chance, [',', ', ', ' ,']))
  return pick<() => [string, string][]>(chance, [
    () => [],
    () => [['range', `bytes=${many(3)}`]],
    () => [['range', `bytes=${many(40)}`]],
    () => [
      [
        'range',
        pick(chance, [
          'bytes=',
          'bytes',
          'lines=1-2',
          'bytes=a-b',
          'bytes=-',
          'bytes=1',
          `bytes=${','.repeat(900)}`,
        ]),
      ],
    ],
    () => [['range', headerText(chance)]],
    () => [
      ['range', 'bytes=0-0'],
      ['range', 'bytes=1-1'],
    ],
    () => [
      ['range', 'bytes=0-0'],
      ['if-range', headerText(chance)],
    ],
    () => [['if-none-match', pick(chance, ['*', '"x"', 'W/"x"', headerText(chance)])]],
    () => [
      ['accept', headerText(chance)],
      ['range', 'bytes=0-0'],
    ],
    () => [['x-long', 'y'.repeat(pick(chance, [15_000, 64_000]))]],
  ])()
}

/** A whole response is the file, a partial one is that part. */
function compare({ found }: Walk, answer: RawAnswer, bytes: Buffer): void {
  const { status, headers } = answer
  if (status === 200 && !answer.bytes.equals(bytes))
    found(`${answer.bytes.length} bytes came as all ${bytes.length}`)
  const span = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  if (status === 206 && span) {
    const part = bytes.subarray(Number(span[1]), Number(span[2]) + 1)
    if (!answer.bytes.equals(part) || Number(span[3]) !== bytes.length)
      found(`${span[0]} came as ${answer.bytes.length} bytes`)
  }
  if (
    status === 206 &&
    !span &&
    !headers.get('content-type')?.startsWith('multipart/byteranges; boundary=')
  )
    found('a part came without its place')
}
