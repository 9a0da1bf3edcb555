/** The calls of each move, and which move comes next. */
import { openZip, readEntryBytes } from '../../../packages/text/src/formats/zip/zip-read.ts'
import { pack } from '../../formats/pack.ts'
import type { Chance } from '../history-walk.ts'
import { type Call, type Got, sendTo } from './callers.ts'
import {
  type Actor,
  actors,
  type Holder,
  hasOpen,
  type Model,
  type Move,
  type MoveName,
  moveNames,
  type Request,
  rules,
  sourceOf,
  type Texts,
  textOf,
  textsOf,
} from './model.ts'

/** A job as its walkers know it. */
export type Stage = {
  readonly jobId: string
  readonly providerId: string
  readonly requestIds: string[]
  readonly personIds: ReadonlyMap<Holder, string>
  /** Its file is one paragraph, cut into sentences. */
  readonly isCut: boolean
  readonly call: Call
  /** Moves the clock of the hub. */
  advance(by: string): Promise<void>
}

/** Refused: its code, or the status of the answer. */
export type Done = 'ok' | 'died' | { readonly refused: string }

const names = ['page.html', 'texts', 'note'] as const
/** Where a request stands in a package of files in their own format. */
const pathOf = (at: number): string => `de-de/${names[at]}${at === 0 ? '' : '.xml'}`
const keyOf = (part: number): string => `key ${part + 1}`

const page = (texts: Texts, isCut: boolean): string =>
  isCut ? `<p>${texts.join(' ')}</p>\n` : texts.map((text) => `<p>${text ?? ''}</p>\n`).join('')
/** The texts of such a file. */
export const textsIn = (file: string): string[] =>
  [...file.matchAll(/<p>(.*?)<\/p>/g)].flatMap(([, text = '']) => text.split(/(?<=\.) /))
const fieldsOf = (texts: Texts) =>
  texts.flatMap((value, part) => (value === undefined ? [] : [{ key: keyOf(part), value }]))
const xml = (texts: Texts): string =>
  `<content>${fieldsOf(texts)
    .map(({ key, value }) => `<field key="${key}">${value}</field>`)
    .join('')}</content>`
const bytesOf = ({ isCut }: Stage, { kind }: Request, texts: Texts): string =>
  kind === 'file' ? page(texts, isCut) : xml(texts)

/** A key belongs to the path, and that to the job. */
async function send(
  { call }: Stage,
  { does, by, text, twice }: Move,
  ...[method, path, body]: [method: string, path: string, body?: unknown]
): Promise<Done> {
  const headers = twice ? { headers: { 'idempotency-key': `${does}-${by}-${text}` } } : {}
  const sending = { ...(body !== undefined && { body }), ...headers }
  const first = await call(by, method, path, sending)
  if (!twice || !first || first.status >= 300) return said(first)
  const again = await call(by, method, path, sending)
  const isSame =
    again?.status === first.status && JSON.stringify(again.body) === JSON.stringify(first.body)
  return again && !isSame
    ? { refused: `500 with its key it was answered otherwise: ${again.status}` }
    : 'ok'
}

const said = (got: Got | undefined): Done =>
  !got
    ? 'died'
    : got.status < 300
      ? 'ok'
      : { refused: `${got.status} ${got.body?.code ?? ''} ${got.body?.message ?? ''}`.trim() }

/** The id of a request that is not there. */
const nobody = 'A'.repeat(22)

/** Makes the move, and says what the hub answered. */
export async function make(stage: Stage, model: Model, move: Move): Promise<Done> {
  const { jobId, providerId, requestIds } = stage
  const { by, does, on, also } = move
  const job = `/jobs/${jobId}`
  const provided = `/providers/${providerId}${job}`
  const [at = 0] = on
  const idOf = (one: number): string => requestIds[one] ?? nobody
  const id = idOf(at)
  const ids = on.map(idOf)
  const task = `${provided}/assetTasks/${id}`
  const tell = (method: string, path: string, body?: unknown): Promise<Done> =>
    send(stage, move, method, path, body)
  const request = model.requests[at]
  switch (does) {
    case 'add':
      return add(stage, model, move)
    case 'change': {
      const fields = fieldsOf(
        (request?.sources ?? []).map((_, part) => sourceOf(move.text * 3, part)),
      )
      const body = request?.kind === 'fields' ? { fields } : { requestName: 'renamed.html' }
      return tell('PATCH', `${job}/requests/${id}`, body)
    }
    case 'submit':
      return tell('PUT', `${job}/submit`, { providerId })
    case 'complete':
      return tell('PUT', `${job}/complete`)
    case 'reopen':
      return tell('PUT', `${job}/intranslation`)
    case 'archive':
      return tell('PUT', `${job}/archive`)
    case 'unarchive':
      return tell('PUT', `${job}/unarchive`)
    case 'approve':
      return tell('PUT', `${job}/requests/approve`, { requestIds: ids })
    case 'reject':
      return tell('PUT', `${job}/requests/reject`, { requestIds: ids, note: 'Again, please' })
    case 'judge':
      return judge(stage, model, move)
    case 'correct':
      return correct(stage, model, move)
    case 'deliverCorrections':
      return tell('POST', `${job}/requests/${id}/segments/deliver`)
    case 'plan':
      return tell('PUT', `${job}/plan`, { description: `Plan ${move.text}` })
    case 'stop':
      return tell('PUT', `${job}/cancel`, move.text % 2 === 0 ? undefined : { note: 'It is over' })
    case 'copy':
      return tell('POST', `${job}/copies`, { jobName: 'a copy' })
    case 'redeliver':
      return tell('POST', `/providers/${providerId}/invocations`, { jobId })
    case 'claim':
      return tell('POST', `${task}/claim`)
    case 'assign': {
      const personId = stage.personIds.get(also === 'colleague' ? 'colleague' : 'translator')
      return tell('POST', `${task}/claim`, { personId })
    }
    case 'release':
      return tell('POST', `${task}/release`)
    case 'share':
      return tell('POST', `${task}/shares`, { shares: sharesOf(stage, request, also) })
    case 'fill':
      return tell('POST', `${task}/segments/fill`, { from: ['REPEATS'], confirm: true })
    case 'write':
    case 'writeAll':
      return write(stage, model, move)
    case 'segments':
      return tell('POST', `${task}/segments/deliver`)
    case 'content': {
      const texts = request ? textsOf(move, request, at) : ['x']
      return tell('PUT', `${task}/translatedContent`, { fields: fieldsOf(texts) })
    }
    case 'begin':
      return tell('POST', `${task}/translatedFile`)
    case 'file':
      return upload(stage, `${task}/translatedFile`, move, request)
    case 'deliver':
      return ids.length === 1
        ? tell('PATCH', task, { statusCode: 'TRANSLATION_SUBMITTED' })
        : tell('PATCH', `${provided}/assetTasks`, {
            ...{ assetTaskIds: ids, assetTasksUpdate: { statusCode: 'TRANSLATION_SUBMITTED' } },
          })
    case 'original': {
      const files = on.map((one) => {
        const found = model.requests[one]
        const content = found ? bytesOf(stage, found, textsOf(move, found, one)) : 'x'
        return { name: pathOf(one), content }
      })
      return deliverPackage(stage, by, pack(files))
    }
    case 'xliff':
      return xliff(stage, model, move)
    case 'startJob':
      return tell('PATCH', provided, { statusCode: 'IN_TRANSLATION' })
    case 'begun':
      return tell('PATCH', `${provided}/assetTasks`, {
        ...{ assetTaskIds: ids, assetTasksUpdate: { statusCode: 'IN_TRANSLATION' } },
      })
    case 'fail':
      return tell('PATCH', task, { hasError: true, errorMessage: `Trouble ${move.text % 2}` })
    case 'clear':
      return tell('PATCH', task, { hasError: false })
    case 'cancel':
      return tell('PATCH', `${provided}/assetTasks`, {
        ...{ assetTaskIds: ids, assetTasksUpdate: { statusCode: 'CANCELLED' } },
      })
    case 'cancelJob':
      return tell('PATCH', provided, { statusCode: 'CANCELLED' })
    case 'supersede':
      return supersede(stage, model, move)
    case 'wait':
      // Nobody else has a say in it.
      if (by === 'operator') await stage.advance(also ?? '1m')
      return by === 'operator' ? 'ok' : { refused: 'nobody asked' }
    case 'retryTasks':
      return tell('POST', '/tasks/retry', { state: 'parked' })
  }
}

/** The first segment for one, all others for the other. */
function sharesOf({ personIds }: Stage, request: Request | undefined, also: string | undefined) {
  if (also === 'end') return []
  const people: readonly Holder[] =
    also === 'translator first' ? ['translator', 'colleague'] : ['colleague', 'translator']
  const [first, second] = people.map((one) => personIds.get(one))
  const last = request?.segments.length ?? 1
  return [
    { personId: first, from: 1, to: 1 },
    ...(last > 1 ? [{ personId: second, from: 2, to: last }] : []),
  ]
}

async function add(stage: Stage, model: Model, { by, text }: Move): Promise<Done> {
  const { jobId, requestIds, call } = stage
  const at = Math.min(model.requests.length, 2)
  const sources = [0, 1].slice(0, at === 2 ? 1 : 2).map((part) => sourceOf(text * 3 + at, part))
  let content: object = { fields: fieldsOf(sources) }
  if (at === 0) {
    const path = `/jobs/${jobId}/sourcefiles?fileName=${names[0]}`
    const got = await call(by, 'POST', path)
    if (!got || got.status >= 300) return said(got)
    const url = String(got.body.fmsPostMultipartUrl)
    const sent = await sendFile(url, page(sources, stage.isCut))
    if (!sent || sent.status >= 300) return said(sent)
    content = { fmsFileId: got.body.fmsFileId }
  }
  const body = {
    ...{ requestName: names[at], sourceNativeId: `${at}`, sourceNativeLanguageCode: 'en-us' },
    ...{ targetNativeLanguageCodes: ['de-de'], ...content },
  }
  const got = await call(by, 'POST', `/jobs/${jobId}/requests/add`, { body })
  if (got && got.status < 300) requestIds.push(String(got.body.requests[0].requestId))
  return said(got)
}

/** Another job, in which one text is new. Only its submission changes anything. */
async function supersede(stage: Stage, model: Model, { by, on, text }: Move): Promise<Done> {
  const { call, requestIds, providerId } = stage
  const [at = 0] = on
  const request = model.requests[at]
  if (model.job === 'CREATED') return { refused: 'the job was not submitted' }
  const made = await call(by, 'POST', '/jobs', { body: { jobName: 'Newer' } })
  if (!made || made.status >= 300) return said(made)
  const job = `/jobs/${made.body.jobId}`
  const sources = [...(request?.sources ?? []), sourceOf(text * 3 + at, 0)]
  let content: object = { fields: fieldsOf(sources) }
  if (request?.kind === 'file') {
    const got = await call(by, 'POST', `${job}/sourcefiles?fileName=${names[0]}`)
    if (!got || got.status >= 300) return said(got)
    const sent = await sendFile(String(got.body.fmsPostMultipartUrl), page(sources, stage.isCut))
    if (!sent || sent.status >= 300) return said(sent)
    content = { fmsFileId: got.body.fmsFileId }
  }
  const body = {
    ...{ requestName: names[at], sourceNativeId: `${at}`, sourceNativeLanguageCode: 'en-us' },
    ...{ targetNativeLanguageCodes: ['de-de'], ...content },
    supersedes: requestIds[at] ?? nobody,
  }
  const added = await call(by, 'POST', `${job}/requests/add`, { body })
  if (!added || added.status >= 300) return said(added)
  return said(await call(by, 'PUT', `${job}/submit`, { body: { providerId } }))
}

const boundary = 'walk-walk-walk'
function sendFile(url: string, text: string): Promise<Got | undefined> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n`
  const body = `${head}content-type: application/octet-stream\r\n\r\n${text}\r\n--${boundary}--\r\n`
  const type = `multipart/form-data; boundary=${boundary}`
  return sendTo(new URL(url), 'POST', body, { 'content-type': type })
}

async function upload(
  stage: Stage,
  path: string,
  move: Move,
  request: Request | undefined,
): Promise<Done> {
  const got = await stage.call(move.by, 'POST', path)
  if (!got || got.status >= 300 || !request) return said(got)
  const bytes = bytesOf(stage, request, textsOf(move, request, move.on[0] ?? 0))
  return said(await sendFile(String(got.body.fmsPostMultipartUrl), bytes))
}

export type Segment = {
  readonly segmentId: string
  readonly target?: readonly unknown[]
  readonly state: string
  readonly version: number
}

/** As the provider's program sees them; it is bound by nothing. */
const deskSegments = async (stage: Stage, id: string): Promise<readonly Segment[] | undefined> => {
  const path = `/providers/${stage.providerId}/jobs/${stage.jobId}/assetTasks/${id}/segments`
  const got = await stage.call('program', 'GET', path)
  return got && (got.status < 300 ? (got.body.segments as Segment[]) : [])
}

/** Without an answer to the question what is there, anything is asked for. */
const unknown: Segment = { segmentId: 'x', state: 'NEW', version: 0 }

async function write(stage: Stage, model: Model, move: Move): Promise<Done> {
  const { jobId, providerId, requestIds } = stage
  const [at = 0] = move.on
  const request = model.requests[at]
  const id = requestIds[at] ?? nobody
  const segments = await deskSegments(stage, id)
  if (!segments) return 'died'
  const path = `/providers/${providerId}/jobs/${jobId}/assetTasks/${id}/segments`
  if (move.does === 'writeAll') {
    const open = segments.flatMap(({ segmentId, state, version }, part) =>
      state === 'TRANSLATED' || state === 'APPROVED'
        ? []
        : [{ segmentId, target: [textOf(move.text * 3, part)], state: 'TRANSLATED', version }],
    )
    return send(stage, move, 'PUT', path, { segments: open.length > 0 ? open : [unknown] })
  }
  const part = request ? move.part % request.segments.length : 0
  const { segmentId, version } = segments[part] ?? unknown
  const body = {
    target: [textOf(move.text * 3, part)],
    state: move.also === 'draft' ? 'DRAFT' : 'TRANSLATED',
    version: move.also === 'stale' ? Math.max(0, version - 1) + (version === 0 ? 1 : 0) : version,
  }
  return send(stage, move, 'PUT', `${path}/${segmentId}`, body)
}

async function judge(stage: Stage, model: Model, move: Move): Promise<Done> {
  const { jobId, requestIds, call } = stage
  const [at = 0] = move.on
  const request = model.requests[at]
  const path = `/jobs/${jobId}/requests/${requestIds[at] ?? nobody}/segments`
  const got = await call('connector', 'GET', path)
  if (!got) return 'died'
  const segments: readonly Segment[] = got.status < 300 ? got.body.segments : []
  const { segmentId, version } =
    segments[request ? move.part % request.segments.length : 0] ?? unknown
  const verdict = move.also === 'OK' ? { verdict: 'OK' } : { verdict: 'WRONG', note: 'Too free' }
  const seen = move.also === 'stale WRONG' ? version + 1 : version
  const body = { ...verdict, version: seen }
  return send(stage, move, 'PUT', `${path}/${segmentId}/review`, body)
}

async function correct(stage: Stage, model: Model, move: Move): Promise<Done> {
  const { jobId, requestIds, call } = stage
  const [at = 0] = move.on
  const request = model.requests[at]
  const path = `/jobs/${jobId}/requests/${requestIds[at] ?? nobody}/segments`
  const got = await call('connector', 'GET', path)
  if (!got) return 'died'
  const segments: readonly Segment[] = got.status < 300 ? got.body.segments : []
  const part = request ? move.part % request.segments.length : 0
  const { segmentId, version } = segments[part] ?? unknown
  return send(stage, move, 'PUT', `${path}/${segmentId}`, {
    target: [textOf(move.text * 3, part)],
    version: move.also === 'stale' ? version + 1 : version,
  })
}

const deliverPackage = async (stage: Stage, by: Actor, zip: Uint8Array): Promise<Done> =>
  said(
    await stage.call(by, 'POST', `/providers/${stage.providerId}/jobs/${stage.jobId}/package`, {
      body: zip,
      headers: { 'content-type': 'application/zip' },
    }),
  )

const everyState = ['NEW', 'DRAFT', 'TRANSLATED', 'REJECTED', 'APPROVED']
  .map((state) => `state=${state}`)
  .join('&')

async function xliff(stage: Stage, model: Model, move: Move): Promise<Done> {
  if (move.on.some((at) => !model.requests[at])) return { refused: 'there is no such request' }
  const path = `/providers/${stage.providerId}/jobs/${stage.jobId}/package?${everyState}`
  const got = await stage.call(move.by, 'GET', path)
  if (!got || got.status >= 300) return said(got)
  const zip = openZip(got.body as Uint8Array)
  const files = zip.entries.map((entry) => {
    const content = Buffer.from(readEntryBytes(zip, entry)).toString('utf8')
    const at = stage.requestIds.findIndex(
      (id) => entry.name.endsWith('.xlf') && content.includes(id),
    )
    const request = move.on.includes(at) ? model.requests[at] : undefined
    if (!request) return { name: entry.name, content }
    const texts = textsOf({ ...move, also: '' }, request, at)
    return { name: entry.name, content: withTargets(content, texts) }
  })
  return deliverPackage(stage, move.by, pack(files))
}

/** The first target of each unit is its own; what the memory offers comes after it. */
const withTargets = (text: string, texts: Texts): string =>
  text
    .split(/(?=<trans-unit\b)/)
    .map((unit, at) =>
      at === 0
        ? unit
        : unit.replace(/(<target[^>]*>)[^<]*/, (_, open: string) => open + (texts[at - 1] ?? '')),
    )
    .join('')

/** How often each move is drawn where the model allows it. */
const weights: Readonly<Record<MoveName, number>> = {
  ...{ add: 30, change: 2, submit: 12 },
  ...{ complete: 0.7, reopen: 6, archive: 0.7, unarchive: 8 },
  ...{ approve: 3, reject: 4, judge: 3, redeliver: 0.5 },
  ...{ claim: 4, assign: 1.5, release: 1, share: 1.5, fill: 0.7 },
  ...{ write: 4, writeAll: 4, segments: 7, content: 3, begin: 0.7, file: 3, deliver: 7 },
  ...{ original: 2, xliff: 1.2, startJob: 0.4, begun: 1.5, fail: 1.2, clear: 0.6 },
  ...{ correct: 3, deliverCorrections: 2.5, plan: 0.6, stop: 0.15, copy: 0.4 },
  ...{ cancel: 0.7, cancelJob: 0.15, supersede: 0.8, wait: 0.3, retryTasks: 0.2 },
}
/** Of the moves that the model refuses. */
const refusedShare = 0.2
/** Of the moves that are sent again with their key. */
const repeated = 0.1

const pick = <T>(chance: Chance, all: readonly T[]): T =>
  all[Math.floor(chance() * all.length)] as T

/** Most can be refused for one more reason: somebody else holds the task. */
const refusedWeight = (name: MoveName): number => (rules[name].by.length === 4 ? 3 : 1)

/** Mostly one that is allowed, by somebody who may; always if it `mustWork`. */
export function draw(
  chance: Chance,
  model: Model,
  number: number,
  { isAllowed, mustWork = false }: { isAllowed(move: Move): boolean; mustWork?: boolean },
): Move {
  const wantsRefusal = chance() < refusedShare && !mustWork
  for (let tries = 0; ; tries += 1) {
    const does = pickWeighted(chance, wantsRefusal ? refusedWeight : (name) => weights[name])
    const { by: allowed } = rules[does]
    const by =
      wantsRefusal && chance() < 0.3 ? pick(chance, actors) : (pick(chance, allowed) as Actor)
    const details = detailsOf(chance, model, does)
    const twice = chance() < repeated
    const move = { does, by, ...details, text: number, part: number + tries, twice }
    if (tries > 200 || (isFit(model, move) && isAllowed(move) !== wantsRefusal)) return move
  }
}

function pickWeighted(chance: Chance, weightOf: (name: MoveName) => number): MoveName {
  const sum = moveNames.reduce((all, name) => all + weightOf(name), 0)
  let left = chance() * sum
  for (const name of moveNames) {
    left -= weightOf(name)
    if (left < 0) return name
  }
  return 'wait'
}

const ofMany: readonly MoveName[] = [
  ...(['approve', 'reject', 'deliver', 'original', 'xliff', 'begun', 'cancel'] as const),
]

function detailsOf(chance: Chance, { requests }: Model, does: MoveName): Pick<Move, 'on' | 'also'> {
  const all = requests.map((_, at) => at)
  const one = pick(chance, all.length > 0 ? all : [0])
  const some = ofMany.includes(does) && chance() < 0.3 ? all.filter(() => chance() < 0.6) : []
  const on = some.length > 0 ? some : [one]
  const also = alsoOf(chance, does)
  return also === undefined ? { on } : { on, also }
}

function alsoOf(chance: Chance, does: MoveName): string | undefined {
  if (does === 'write') return pick(chance, ['done', 'done', 'done', 'draft', 'stale'])
  if (does === 'judge') return pick(chance, ['OK', 'WRONG', 'WRONG', 'stale WRONG'])
  if (does === 'correct') return chance() < 0.15 ? 'stale' : undefined
  if (does === 'share') return pick(chance, ['translator first', 'colleague first', 'end'])
  if (does === 'assign') return pick(chance, ['translator', 'colleague'])
  if (does === 'content' || does === 'file') return chance() < 0.15 ? 'short' : undefined
  if (does === 'wait') return pick(chance, ['1m', '1h', '9h'])
  return undefined
}

/** Leaves out what says nothing: moves that need something to be named. */
function isFit(model: Model, { does, on, also }: Move): boolean {
  const request = model.requests[on[0] ?? 0]
  if (does === 'add') return model.requests.length < 3
  if (does === 'wait' || does === 'retryTasks') return true
  if (!request) return false
  if (does === 'writeAll') return hasOpen(request)
  return !(also === 'short' && request.kind === 'file')
}
