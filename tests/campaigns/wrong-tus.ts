/** Invalid TUS calls: none may be accepted, none may change the upload. */
import { headerText, sendBy, within } from './fuzzed-form.ts'
import { pick } from './fuzzed-text.ts'
import {
  chunkType,
  type Header,
  type Headers,
  type Ledger,
  meant,
  tokenOf,
  version,
  type Walk,
} from './transfer-walk.ts'

/** A call with one fault that must change nothing. */
export async function strayCall(walk: Walk, ledger: Ledger | undefined): Promise<void> {
  const { chance, transfer, call, found } = walk
  const own = ledger?.path ?? new URL(transfer.fmsUploadUrl).pathname
  const method = pick(chance, ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'GET', 'PUT'])
  const nowhere = [
    '%00',
    '%',
    '%ff',
    '..',
    '%2e%2e%2fx',
    'x',
    '\u00ff',
    "'",
    'a'.repeat(22),
    '',
    'é'.repeat(3),
  ]
  const wrong = pick<() => { headers: Headers; path?: string }>(chance, [
    () => ({ headers: [['sastoken', headerText(chance)], version, chunkType] }),
    () => ({ headers: [version, chunkType] }),
    () => ({
      headers: [
        tokenOf(walk),
        ['tus-resumable', pick(chance, ['0.2.2', '', '2', headerText(chance)])],
      ],
    }),
    () => ({ headers: [tokenOf(walk)] }),
    () => ({ headers: [tokenOf(walk), version], path: `/fms/tus/${pick(chance, nowhere)}` }),
    () => ({ headers: [tokenOf(walk), version, ['x-http-method-override', headerText(chance)]] }),
    () => ({ headers: [tokenOf(walk), version, ['x-long', 'y'.repeat(64_000)]] }),
  ])()
  if (chance() < 0.4 && ledger) return wrongPatch(walk, ledger)
  const answer = await call({
    method,
    headers: wrong.headers,
    path: wrong.path ?? own,
    body: 'stray',
  })
  const isQuestion =
    method === 'OPTIONS' ||
    wrong.headers.some(
      ([name, value]) => name === 'x-http-method-override' && /^options$/i.test(value),
    )
  if (answer && answer.status < 400 && !isQuestion)
    found(`a stray ${method} was taken: ${answer.status}`)
}

/** A creation that must be refused. */
export async function wrongCreate(walk: Walk): Promise<undefined> {
  const { chance, transfer, call, found } = walk
  const wrong = pick<Headers>(chance, [
    [],
    [
      [
        'upload-length',
        pick(chance, ['', '-1', '+1', '1.5', '1e3', '0x9', 'NaN', '9'.repeat(40), '1073741825']),
      ],
    ],
    [
      ['upload-length', '1'],
      ['upload-length', '2'],
    ],
    [
      ['upload-length', '5'],
      ['upload-metadata', pick(chance, [',', 'a b c', 'a !', 'a YQ==,a YQ==', 'a YQ'])],
    ],
    [
      ['upload-length', '5'],
      ['upload-metadata', `\u00e4${headerText(chance)}`],
    ],
    [
      ['upload-length', '5'],
      chunkType,
      ['upload-checksum', pick(chance, ['crc32 AAAA', 'sha1 AAAA', headerText(chance)])],
    ],
    [['upload-length', '3'], chunkType],
    [['upload-defer-length', pick(chance, ['0', '2', '', headerText(chance)])]],
    [
      ['upload-defer-length', '1'],
      ['upload-length', '4'],
    ],
    [
      [
        'upload-concat',
        pick(chance, ['', 'final', 'final;', 'final; x', 'parts', `final;${headerText(chance)}`]),
      ],
    ],
    [['upload-concat', 'partial']],
  ])
  const path = new URL(transfer.fmsUploadUrl).pathname
  const headers = [tokenOf(walk), version, ...wrong]
  const answer = await call({
    ...meant(chance, 'POST', headers),
    path,
    ...sendBy(chance, Buffer.from('four')),
  })
  if (!answer || answer.status < 400)
    found(`a wrong creation was taken: ${answer?.status} ${JSON.stringify(wrong)}`)
}

/** Everything right except one header. */
async function wrongPatch(walk: Walk, ledger: Ledger): Promise<void> {
  const { chance, call, found } = walk
  const offset: Header = ['upload-offset', String(ledger.offset)]
  const [headers, unoffered] = pick<() => readonly [Headers, boolean]>(chance, [
    () => [[chunkType, ['upload-offset', String(ledger.offset + 1 + within(chance, 9))]], false],
    () => [
      [chunkType, ['upload-offset', pick(chance, ['-1', '1e1', '0x0', '', '9'.repeat(40)])]],
      false,
    ],
    () => [[chunkType], false],
    () => [
      [offset, ['content-type', pick(chance, ['text/plain', 'multipart/form-data', 'x/y'])]],
      false,
    ],
    () => [[offset], false],
    () => [
      [
        chunkType,
        offset,
        ['upload-checksum', pick(chance, ['md5 AAAA', 'sha1', 'sha1 AAAA', '', 'sha256 !'])],
      ],
      false,
    ],
    () => [[chunkType, offset, ['trailer', 'Upload-Checksum']], true],
    () => [
      [chunkType, offset, ['upload-length', pick(chance, ['', '-1', '1e3', '9'.repeat(40)])]],
      false,
    ],
    () => [[chunkType, offset, offset, offset], false],
  ])()
  const sent = {
    method: 'PATCH',
    headers: [tokenOf(walk), version, ...headers],
    path: ledger.path,
    body: 'x',
  }
  const answer = await call(sent, { unoffered })
  if (!answer || answer.status < 400) found(`a wrong PATCH was taken: ${answer?.status}`)
}
