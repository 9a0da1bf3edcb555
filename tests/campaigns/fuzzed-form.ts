/**
 * Forms that no browser sends, each with its expected result: accepted with these bytes, refused,
 * or either.
 */
import type { RawCall } from '../raw-call.ts'
import { nastyText, pick } from './fuzzed-text.ts'
import type { Chance } from './history-walk.ts'

export type FuzzedBody = {
  readonly call: Pick<RawCall, 'headers' | 'body' | 'length' | 'chunked' | 'ends'>
  /** Undefined if either result is fine. */
  readonly must?: { readonly keep: Buffer } | 'refuse'
  /** The sender cuts the call: there may be no response. */
  readonly isCut: boolean
}

export const within = (chance: Chance, most: number): number => Math.floor(chance() * most)
/** Single-byte characters, which a header can carry. */
export const headerText = (chance: Chance): string =>
  nastyText(chance)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 9_000)

type Piece = { readonly bytes: Buffer; readonly content?: Buffer; readonly isBad?: boolean }

const boundaries = [
  'x',
  '----WebKitFormBoundaryQ7',
  "'()+_,-./:=?",
  'a b',
  '-',
  '--',
  '0'.repeat(70),
  'X'.repeat(200),
]

export function fuzzForm(chance: Chance): FuzzedBody {
  const boundary = pick(chance, boundaries)
  const pieces = chance() < 0.25 ? [filePart(chance, boundary)] : partsOf(chance, boundary)
  const files = pieces.filter(({ content }) => content !== undefined)
  const ending = endOf(chance, boundary)
  const whole = Buffer.concat([startOf(chance), ...pieces.map(({ bytes }) => bytes), ending.bytes])
  const header = typeOf(chance, boundary)
  const isBad =
    files.length !== 1 || header.isBad || ending.isBad || pieces.some((piece) => piece.isBad)
  const must = isBad ? ('refuse' as const) : { keep: files[0]?.content ?? Buffer.alloc(0) }
  const headers = [['content-type', header.text], ...oddHeaders(chance)] as const
  if (chance() < 0.25)
    return { call: { headers, ...sendBy(chance, mutate(chance, whole)) }, isCut: false }
  if (chance() < 0.15) return { call: { headers, ...lyingAbout(chance, whole) }, isCut: true }
  return { call: { headers, ...sendBy(chance, whole) }, must, isCut: false }
}

function typeOf(chance: Chance, boundary: string): { text: string; isBad?: true } {
  const quoted = `"${boundary.replace(/["\\]/g, '\\$&')}"`
  const plain = /^[\w.+-]+$/.test(boundary) ? boundary : quoted
  const how = chance()
  if (how < 0.75)
    return { text: `multipart/form-data; boundary=${chance() < 0.5 ? quoted : plain}` }
  if (how < 0.85)
    return { text: `Multipart/Form-Data;charset=utf-8 ; BOUNDARY = ${quoted}; x="a;boundary=y"` }
  const bad = [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'y'.repeat(201)}`,
    `multipart/form-data; boundary=${boundary.length}no`,
    'multipart/mixed; boundary=x',
    'application/octet-stream',
    'text/plain',
    `multipart/form-data; ${headerText(chance)}`,
    headerText(chance),
  ]
  return { text: pick(chance, bad), isBad: true }
}

const startOf = (chance: Chance): Buffer =>
  chance() < 0.8 ? Buffer.alloc(0) : Buffer.from(`${'preamble\r\n'.repeat(1 + within(chance, 5))}`)

function partsOf(chance: Chance, boundary: string): Piece[] {
  const makers = [filePart, filePart, fieldPart, fieldPart, brokenPart]
  return Array.from({ length: within(chance, 4) }, () => pick(chance, makers)(chance, boundary))
}

const line = (boundary: string): string => `--${boundary}\r\n`

function filePart(chance: Chance, boundary: string): Piece {
  const content = contentOf(chance, boundary)
  const name = pick(chance, ['name="file"', 'name=file', 'NAME="file"', 'name="f\\ile"'])
  const fileName = pick(chance, [
    '',
    '; filename="a.txt"',
    '; filename=""',
    `; filename*=UTF-8''%00`,
    '; filename="a;b"',
  ])
  const more = pick(chance, [
    '',
    '\r\nContent-Type: text/html\r\nContent-Length: 3',
    '\r\ncontent-transfer-encoding: BINARY',
    `\r\nX-Long: ${'z'.repeat(within(chance, 9_000))}`,
    '\r\nContent-Type: text/plain;\r\n\tcharset=x',
  ])
  const head = `${line(boundary)}Content-Disposition: form-data; ${name}${fileName}${more}\r\n\r\n`
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), content, Buffer.from('\r\n')]),
    content,
  }
}

function fieldPart(chance: Chance, boundary: string): Piece {
  const head = `${line(boundary)}content-disposition: form-data; name="f${within(chance, 9)}"\r\n\r\n`
  return {
    bytes: Buffer.concat([Buffer.from(head), contentOf(chance, boundary), Buffer.from('\r\n')]),
  }
}

function brokenPart(chance: Chance, boundary: string): Piece {
  const heads = [
    'content-disposition: form-data; filename="a"',
    'content-disposition: attachment; name="file"',
    'content-disposition: form-data',
    'content-disposition: form-data; name="other"; filename="a"',
    'content-disposition: form-data; name="__proto__"; filename="a"',
    'content-type: text/plain',
    'no header',
    ': no name',
    '',
    'content-disposition: form-data; name="file"\r\ncontent-transfer-encoding: base64',
    `content-disposition: form-data; name="${'n'.repeat(17_000)}"; filename="a"`,
    'x: y\r\n'.repeat(3_000),
  ]
  const rest = pick(chance, ['\r\n\r\nbytes\r\n', '\r\n\r\n', '\r\n'])
  return {
    bytes: Buffer.from(`${line(boundary)}${pick(chance, heads)}${rest}`, 'latin1'),
    isBad: true,
  }
}

/** Bytes that resemble a boundary but never are one. */
function contentOf(chance: Chance, boundary: string): Buffer {
  const how = chance()
  if (how < 0.1) return Buffer.alloc(0)
  if (how < 0.5)
    return Buffer.from(Array.from({ length: 1 + within(chance, 400) }, () => within(chance, 256)))
  const near = [
    '\r',
    '\n',
    '\r\n',
    '\r\n-',
    '\r\n--',
    `\r\n--${boundary.slice(0, -1)}`,
    `--${boundary}x`,
    '-',
    '\r\n\r\n',
  ]
  const text = Array.from({ length: 1 + within(chance, 30) }, () => `${pick(chance, near)}!`).join(
    '',
  )
  const filled = how < 0.9 ? text : `${text}${'long '.repeat(within(chance, 40_000))}`
  // Content cannot begin with the boundary.
  return Buffer.from(`.${filled}`.replaceAll(`\r\n--${boundary}`, '.'), 'latin1')
}

function endOf(chance: Chance, boundary: string): { bytes: Buffer; isBad?: true } {
  const how = chance()
  if (how < 0.8)
    return {
      bytes: Buffer.from(`--${boundary}--${pick(chance, ['', '\r\n', '\r\nepilogue', ' \t\r\n'])}`),
    }
  const bad = [
    '',
    '--',
    `--${boundary}`,
    `--${boundary}-`,
    `--${boundary}\r\n`,
    `--${boundary} \r\n`,
    `--${boundary}!--`,
  ]
  return { bytes: Buffer.from(pick(chance, bad)), isBad: true }
}

const oddHeaders = (chance: Chance): [string, string][] =>
  chance() < 0.8
    ? []
    : pick<[string, string][]>(chance, [
        [['expect', '100-continue']],
        [['content-encoding', 'gzip']],
        [['x-request-id', headerText(chance).slice(0, 300)]],
        [['authorization', `Bearer ${headerText(chance)}`]],
        [['cookie', 'y'.repeat(12_000)]],
        [['sastoken', headerText(chance)]],
        [['content-type', 'text/plain']],
        [['x-http-method-override', 'DELETE']],
      ])

/** In pieces of any size, so that each position is a piece's end at some time. */
export const sendBy = (chance: Chance, body: Buffer): Pick<RawCall, 'body' | 'chunked'> =>
  chance() < 0.7
    ? { body }
    : { body, chunked: Math.max(1, Math.ceil(body.length / (1 + within(chance, 60)))) }

function lyingAbout(chance: Chance, body: Buffer): Pick<RawCall, 'body' | 'length' | 'ends'> {
  const ends = pick(chance, ['half', 'reset'] as const)
  const cut = body.subarray(0, within(chance, body.length))
  return pick(chance, [
    { body: cut, length: body.length, ends },
    { body, length: body.length + 1 + within(chance, 5_000), ends },
    { body, length: within(chance, body.length + 1), ends: 'half' as const },
  ])
}

/** One or a few small changes. */
export function mutate(chance: Chance, bytes: Buffer): Buffer {
  let now = Buffer.from(bytes)
  for (let left = 1 + within(chance, 3); left > 0; left -= 1) {
    const at = within(chance, now.length + 1)
    const to = Math.min(now.length, at + 1 + within(chance, 40))
    const [before, some, after] = [now.subarray(0, at), now.subarray(at, to), now.subarray(to)]
    now = pick(chance, [
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, some, some, after]),
      () => Buffer.concat([before, Buffer.from([within(chance, 256)]), some, after]),
      () => before,
      () =>
        Buffer.concat([
          before,
          Buffer.from(pick(chance, ['\r\n', '--', '\0', '\r\n\r\n', '"', ';'])),
          some,
          after,
        ]),
    ])()
  }
  return now
}
