/** Our own client in TypeScript: each row of the table is a function of its name. */
import type { SampleCall } from './sample-call.ts'
import { type CodeOptions, type Literals, literal } from './written.ts'

const typescript: Literals = {
  list: ['[', ']'],
  map: ['{ ', ' }'],
  arrow: ': ',
  words: {},
  text: (text) =>
    text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll('\\', '\\\\')}'`,
  indent: '  ',
}

export function sdkCode(call: SampleCall, options: CodeOptions): string {
  const work = workOf(call)
  const uploads = work.includes('openAsBlob')
  return [
    ...(uploads ? ["import { openAsBlob } from 'node:fs'"] : []),
    ...(work.includes('writeFile(') ? ["import { writeFile } from 'node:fs/promises'"] : []),
    `import { connect${work.includes('sourceOf(') ? ', sourceOf' : ''} } from ${text('@dragoman/sdk')}`,
    '',
    ...connection(options),
    '',
    work,
  ].join('\n')
}

function connection({ baseUrl, clientId, clientSecret }: CodeOptions): string[] {
  const url = text(baseUrl)
  if (clientId !== undefined && clientSecret !== undefined)
    return [
      `const hub = connect({ url: ${url}, clientId: ${text(clientId)}, clientSecret: ${text(clientSecret)} })`,
    ]
  return [
    "const { CLIENT_ID = '', CLIENT_SECRET = '' } = process.env",
    `const hub = connect({ url: ${url}, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })`,
  ]
}

function workOf(call: SampleCall): string {
  const { name, params, query, body, downloads, uploads } = call
  if (name === 'createToken')
    return '// The client gets its tokens itself, and a new one before the old one ends.\nconsole.log(await hub.listProviders())'
  if (name === 'revokeToken')
    return '// Nothing to do: the client keeps its token in memory only.\nconsole.log(hub.url)'
  if (name === 'createTranslatedFile') return delivery(call)
  if (uploads !== undefined)
    return `// A small file goes up in one call, a large one in pieces that continue after a break.
const file = sourceOf(${text(uploads)}, await openAsBlob(${text(uploads)}))
const { fmsFileId } = await hub.upload(${text(params.jobId ?? 'k7Qm2xT9bW')}, file)
console.log(fmsFileId)`
  if (downloads !== undefined && !call.gives)
    return `const file = await hub.download(${object(withoutOthers(params))})
await writeFile(${text(downloads)}, await file.bytes())`
  const input = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query: typedQuery(query) }),
    ...(body !== undefined && { body }),
  }
  const given = Object.keys(input).length === 0 ? '' : object(input)
  if (downloads !== undefined)
    return `const file = await hub.${name}(${given})
await writeFile(${text(downloads)}, new Uint8Array(await file.arrayBuffer()))`
  if (call.sends !== undefined)
    return `const file = await openAsBlob(${text(call.sends)})
console.log(await hub.${name}({ ...${given}, body: file }))`
  return `const answer = await hub.${name}(${given})\nconsole.log(answer)`
}

function delivery({ params, uploads = '' }: SampleCall): string {
  return `const params = ${object(params)}
const { fmsPostMultipartUrl } = await hub.createTranslatedFile({ params })
const form = new FormData()
form.set('file', await openAsBlob(${text(uploads)}), ${text(uploads)})
await fetch(fmsPostMultipartUrl, { method: 'POST', body: form })`
}

/**
 * The SDK downloads a file by its fmsFileId; the older spelling fileId has its own call, which the
 * SDK does not use.
 */
function withoutOthers({
  fileId,
  ...params
}: Readonly<Record<string, string>>): Record<string, string> {
  return fileId === undefined ? params : { ...params, fmsFileId: fileId }
}

/** Numbers and flags, which are text in the URL. */
function typedQuery(query: SampleCall['query']): Record<string, unknown> {
  const typed = (value: string): unknown =>
    /^\d+$/.test(value)
      ? Number(value)
      : value === 'true' || value === 'false'
        ? value === 'true'
        : value
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? typed(value) : [...value],
    ]),
  )
}

const text = (value: string): string => typescript.text(value)

/** Quotes only the names that need it. */
const object = (value: unknown): string =>
  literal(value, typescript, 90).replace(/(^|[{,]\s*)'([A-Za-z_]\w*)': /gm, '$1$2: ')
