/**
 * A small model of sections 5 and 15 of the contract: what a job with up to three requests is after
 * each move, and which moves are refused. It is written from the document and knows no table of the
 * product, so that it can contradict it.
 */
export type JobStatus =
  | 'CREATED'
  | 'SENT_TO_PROVIDER'
  | 'IN_TRANSLATION'
  | 'COMPLETED'
  | 'CANCELLED'
export type Status =
  | 'CREATED'
  | 'SENT_TO_PROVIDER'
  | 'IN_TRANSLATION'
  | 'REVIEW_TRANSLATION'
  | 'TRANSLATION_APPROVED'
  | 'TRANSLATION_REJECTED'
  | 'CANCELLED'

export const actors = [
  'connector',
  'reviewer',
  'translator',
  'colleague',
  'program',
  'manager',
  'operator',
] as const
/** An admin may do everything: it walks only where nobody else may. */
export type Actor = (typeof actors)[number] | 'admin'
export type Holder = 'translator' | 'colleague' | 'manager'
/** Undefined: the key is missing. */
export type Texts = readonly (string | undefined)[]

export type Segment = {
  delivered?: string | undefined
  /** `wrong`: it was there when its delivery was judged wrong. */
  draft?: { text: string; done: boolean; wrong: boolean } | undefined
  verdict?: 'OK' | 'WRONG' | undefined
  /** What a reviewer wrote, and has not delivered. */
  correction?: string | undefined
  /** One that was written for a delivery before. */
  stale?: boolean | undefined
  /** What the last delivery has from a reviewer. */
  corrected?: string | undefined
}
export type Request = {
  readonly kind: 'file' | 'fields'
  sources: string[]
  status: Status
  error?: string | undefined
  holder?: Holder | undefined
  /** Who has each segment, if it is shared out: nobody has it alone then. */
  shares?: readonly Holder[] | undefined
  /** Sent, and not submitted; `awaited` if its bytes are still to come. */
  incoming?: Texts | 'awaited' | undefined
  isTranslated: boolean
  /** A newer source has taken its place. */
  isSuperseded?: boolean
  segments: Segment[]
  /** The events that a status update tells of, in their order. */
  told: string[]
  /** All that was ever approved. */
  approved: string[]
}
export type Model = {
  job: JobStatus
  archived: boolean
  requests: Request[]
  /** Events of the job itself. */
  told: string[]
}

export type Move = {
  readonly does: MoveName
  readonly by: Actor
  /** The requests that it names. */
  readonly on: readonly number[]
  /** Its texts are made of this. */
  readonly text: number
  /** The segment that it names. */
  readonly part: number
  readonly also?: string
  /** It is sent again with its key, as after a lost answer. */
  readonly twice?: boolean
}

export const newJob = (): Model => ({ job: 'CREATED', archived: false, requests: [], told: [] })

/** The kinds of the requests of a job, in their order. */
export const kinds = ['file', 'fields', 'fields'] as const
const parts = [2, 2, 1] as const

const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'su', 'ta', 've']
/** A word for a number: other numbers give other words. */
export function wordOf(number: number): string {
  let word = ''
  for (let rest = number; word === '' || rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}
/** Never longer than a source may be, and unlike every other text of the hub. */
export const textOf = (number: number, part: number): string =>
  `Ziel ${wordOf(number + 1728)} ${['eins', 'zwei'][part]}.`
export const sourceOf = (number: number, part: number): string =>
  `Source ${wordOf(number + 1728)} ${['one', 'two'][part]}.`

/** What a move of translated text brings for a request. `short` leaves out the first key. */
export const textsOf = ({ text, also }: Move, request: Request, at: number): Texts =>
  request.segments.map((_, part) =>
    also === 'short' && part === 0 && request.segments.length > 1
      ? undefined
      : textOf(text * 3 + at, part),
  )

export const isOpenJob = ({ job }: Model): boolean =>
  job === 'SENT_TO_PROVIDER' || job === 'IN_TRANSLATION'
const isOver = ({ status }: Request): boolean =>
  status === 'REVIEW_TRANSLATION' || status === 'TRANSLATION_APPROVED'

/** What the desk shows of a segment. */
export function deskOf(
  { status }: Request,
  { delivered, draft, verdict }: Segment,
): { state: string; text: string | undefined } {
  if (draft) {
    const state = draft.wrong ? 'REJECTED' : draft.done ? 'TRANSLATED' : 'DRAFT'
    return { state, text: draft.text }
  }
  return reviewedOf(status, { delivered, verdict })
}

const isDone = ({ state }: { readonly state: string }): boolean =>
  state === 'TRANSLATED' || state === 'APPROVED'

/** Whether the desk has a segment that is not done. */
export const hasOpen = (request: Request): boolean =>
  request.segments.some((segment) => !isDone(deskOf(request, segment)))

/** What the connector and the reviewer see: the delivery, and nothing that was written since. */
export function reviewedOf(
  status: Status,
  { delivered, verdict }: Pick<Segment, 'delivered' | 'verdict'>,
): { state: string; text: string | undefined } {
  const text = delivered
  if (status === 'TRANSLATION_APPROVED' && text !== undefined) return { state: 'APPROVED', text }
  if (verdict) return { state: verdict === 'WRONG' ? 'REJECTED' : 'APPROVED', text }
  return { state: text === undefined ? 'NEW' : 'TRANSLATED', text }
}

/** In these states the translation can be retrieved. */
export const isReady = ({ status }: Request): boolean =>
  isOver({ status } as Request) || status === 'TRANSLATION_REJECTED'

// Who may do what at all, whatever the job is like (sections 2, 13 and 15).
const connectors = ['connector']
const reviewing = ['connector', 'reviewer']
const translating = ['translator', 'colleague', 'program', 'manager']
const managing = ['program', 'manager']

type Rule = {
  readonly by: readonly string[]
  /** Changes the model, or says why the move is refused. */
  readonly rule: (model: Model, move: Move) => string | undefined
}

const archived = (model: Model) => (model.archived ? 'the job is archived' : undefined)
const withProvider = (model: Model) =>
  archived(model) ?? (isOpenJob(model) ? undefined : `the job is ${model.job}`)
/** What a move does to a shared text: the whole of it, its segments together, or these parts. */
type As = 'whole' | 'segments' | readonly number[]
function held(by: Actor, { holder, shares }: Request, as: As = 'whole'): string | undefined {
  if (by !== 'translator' && by !== 'colleague') return undefined
  if (!shares) return holder !== undefined && holder !== by ? `${holder} holds it` : undefined
  if (as === 'whole') return 'it is shared'
  if (!shares.includes(by)) return 'they have no share'
  return as !== 'segments' && as.some((part) => shares[part] !== by) ? 'not their share' : undefined
}
const named = ({ requests }: Model, { on }: Move): Request[] =>
  on.flatMap((at) => requests[at] ?? [])

function start(model: Model, request: Request): void {
  if (request.status !== 'SENT_TO_PROVIDER' && request.status !== 'TRANSLATION_REJECTED') return
  request.status = 'IN_TRANSLATION'
  request.error = undefined
  model.job = 'IN_TRANSLATION'
}

function deliver(model: Model, request: Request, texts: Texts): void {
  request.status = 'REVIEW_TRANSLATION'
  request.error = undefined
  request.isTranslated = true
  request.told.push('REVIEW_TRANSLATION')
  request.segments = texts.map((delivered, part) => {
    const before = request.segments[part]
    const isStale = before?.stale === true || before?.correction !== undefined
    return { delivered, ...(isStale && { stale: true }) }
  })
  model.job = 'IN_TRANSLATION'
}

function cancel(model: Model, request: Request): void {
  if (request.status === 'CANCELLED') return
  request.status = 'CANCELLED'
  request.error = undefined
  request.told.push('CANCELLED')
  if (isOpenJob(model) && model.requests.every(({ status }) => status === 'CANCELLED'))
    model.job = 'CANCELLED'
}

const deliveredIn = ({ segments }: Request): Texts => segments.map(({ delivered }) => delivered)

/** A move by a provider on one request, of work that is not over. */
const onTask =
  (
    rule: (model: Model, request: Request, move: Move) => string | undefined,
    as: (request: Request, move: Move) => As = () => 'whole',
  ) =>
  (model: Model, move: Move): string | undefined => {
    const no = withProvider(model)
    if (no) return no
    const [request] = named(model, move)
    if (!request) return 'there is no such request'
    return held(move.by, request, as(request, move)) ?? rule(model, request, move)
  }

/** The segments that are not done yet. */
const openParts = (request: Request): number[] =>
  request.segments.flatMap((segment, part) => (isDone(deskOf(request, segment)) ? [] : [part]))

const cancelled = ({ status }: Request) =>
  status === 'CANCELLED' ? 'the request is cancelled' : undefined

export const rules = {
  add: {
    by: connectors,
    rule: (model, { text }) => {
      if (model.archived || model.job !== 'CREATED') return 'the job was submitted'
      const at = model.requests.length
      const many = parts[at]
      const kind = kinds[at]
      if (!many || !kind) return 'it has all its requests'
      model.requests.push({
        kind,
        sources: Array.from({ length: many }, (_, part) => sourceOf(text * 3 + at, part)),
        ...{ status: 'CREATED', isTranslated: false, told: [], approved: [] },
        segments: Array.from({ length: many }, () => ({})),
      })
      return undefined
    },
  },
  change: {
    by: connectors,
    rule: (model, move) => {
      if (model.archived || model.job !== 'CREATED') return 'the job was submitted'
      const [request] = named(model, move)
      if (!request) return 'there is no such request'
      if (request.kind === 'fields')
        request.sources = request.sources.map((_, part) => sourceOf(move.text * 3, part))
      return undefined
    },
  },
  submit: {
    by: connectors,
    rule: (model) => {
      const no = archived(model)
      if (no) return no
      if (model.job !== 'CREATED') return isOpenJob(model) ? undefined : `the job is ${model.job}`
      if (model.requests.length === 0) return 'the job is empty'
      model.job = 'SENT_TO_PROVIDER'
      for (const request of model.requests) request.status = 'SENT_TO_PROVIDER'
      return undefined
    },
  },
  complete: {
    by: connectors,
    rule: (model) => {
      const no = archived(model)
      if (no || model.job === 'COMPLETED') return no
      if (!isOpenJob(model)) return `the job is ${model.job}`
      model.job = 'COMPLETED'
      return undefined
    },
  },
  reopen: {
    by: connectors,
    rule: (model) => {
      const no = archived(model)
      if (no || model.job === 'IN_TRANSLATION') return no
      if (model.job !== 'COMPLETED') return `the job is ${model.job}`
      model.job = 'IN_TRANSLATION'
      return undefined
    },
  },
  archive: {
    by: connectors,
    rule: (model) => {
      model.archived = true
      return undefined
    },
  },
  unarchive: {
    by: connectors,
    rule: (model) => {
      model.archived = false
      return undefined
    },
  },
  approve: { by: reviewing, rule: decide('TRANSLATION_APPROVED') },
  reject: { by: reviewing, rule: decide('TRANSLATION_REJECTED') },
  judge: {
    by: reviewing,
    rule: (model, move) => {
      const no = archived(model)
      if (no) return no
      const [request] = named(model, move)
      const segment = request?.segments[move.part % request.segments.length]
      if (!request || !segment) return 'there is no such segment'
      if (request.status !== 'REVIEW_TRANSLATION') return 'the request is not in review'
      if (move.also === 'stale WRONG') return 'its version is old'
      segment.verdict = move.also === 'OK' ? 'OK' : 'WRONG'
      if (segment.draft) segment.draft.wrong = segment.verdict === 'WRONG'
      return undefined
    },
  },
  correct: {
    by: reviewing,
    rule: (model, move) => {
      const no = archived(model)
      if (no) return no
      const [request] = named(model, move)
      const part = move.part % (request?.segments.length ?? 1)
      const segment = request?.segments[part]
      if (!request || !segment) return 'there is no such segment'
      if (request.status !== 'REVIEW_TRANSLATION') return 'the request is not in review'
      if (move.also === 'stale') return 'its version is old'
      const text = textOf(move.text * 3, part)
      segment.correction = text === segment.delivered ? undefined : text
      segment.stale = undefined
      return undefined
    },
  },
  /** As one more delivery, with a status update; the request stays in review. */
  deliverCorrections: {
    by: reviewing,
    rule: (model, move) => {
      const no = archived(model)
      if (no) return no
      const [request] = named(model, move)
      if (!request) return 'there is no such request'
      if (request.status !== 'REVIEW_TRANSLATION') return 'the request is not in review'
      const before = request.segments
      if (before.every(({ correction }) => correction === undefined))
        return before.some(({ stale }) => stale) ? 'they were for another delivery' : undefined
      if (!isOpenJob(model)) return `the job is ${model.job}`
      deliver(
        model,
        request,
        before.map(({ correction, delivered }) => correction ?? delivered),
      )
      for (const [part, segment] of request.segments.entries()) {
        segment.stale = undefined
        segment.corrected = before[part]?.correction ?? before[part]?.corrected
        request.approved.push(...[before[part]?.correction].flatMap((text) => text ?? []))
      }
      return undefined
    },
  },
  plan: {
    by: ['admin'],
    rule: (model) => withProvider(model),
  },
  stop: {
    by: ['admin'],
    rule: stopped,
  },
  /** Another job, which nobody walks. */
  copy: {
    by: connectors,
    rule: (model) =>
      archived(model) ?? (model.requests.length === 0 ? 'the job is empty' : undefined),
  },
  redeliver: {
    by: connectors,
    rule: (model) => withProvider(model),
  },
  claim: {
    by: ['translator', 'colleague', 'manager'],
    rule: onTask((model, request, { by }) => {
      request.holder = by as Holder
      request.shares = undefined
      start(model, request)
      return undefined
    }),
  },
  assign: {
    by: translating,
    rule: (model, move) => {
      const no = withProvider(model)
      const [request] = named(model, move)
      if (no || !request) return no ?? 'there is no such request'
      const holder: Holder = move.also === 'colleague' ? 'colleague' : 'translator'
      const { by } = move
      if ((by === 'translator' || by === 'colleague') && by !== holder) return 'it is for another'
      if (held(by, { ...request, holder: undefined })) return 'it is shared'
      // A program claims for a person, and takes nothing from another.
      if (by !== 'manager' && request.holder && request.holder !== holder)
        return `${request.holder} holds it`
      request.holder = holder
      request.shares = undefined
      start(model, request)
      return undefined
    },
  },
  /** Between two people, or `end`. */
  share: {
    by: managing,
    rule: onTask((model, request, { also }) => {
      if (also === 'end') {
        request.shares = undefined
        return undefined
      }
      request.shares = request.segments.map((_, part) =>
        (part === 0) === (also === 'translator first') ? 'translator' : 'colleague',
      )
      request.holder = undefined
      start(model, request)
      return undefined
    }),
  },
  /** From repetitions, of which these texts have none: nothing changes. */
  fill: {
    by: translating,
    rule: onTask(
      (_, request) => cancelled(request),
      () => 'segments',
    ),
  },
  release: {
    by: translating,
    rule: onTask((_, request) => {
      request.holder = undefined
      request.shares = undefined
      return undefined
    }),
  },
  write: {
    by: translating,
    rule: onTask(
      (model, request, move) => {
        const no = cancelled(request)
        if (no) return no
        const part = move.part % request.segments.length
        const segment = request.segments[part]
        if (!segment) return 'there is no such segment'
        if (move.also === 'stale') return 'its version is old'
        segment.draft = {
          text: textOf(move.text * 3, part),
          done: move.also !== 'draft',
          wrong: false,
        }
        start(model, request)
        return undefined
      },
      ({ segments }, { part }) => [part % segments.length],
    ),
  },
  /** All segments that are not done yet, in one call. */
  writeAll: {
    by: translating,
    rule: onTask(
      (model, request, move) => {
        const no = cancelled(request)
        if (no) return no
        if (!hasOpen(request)) return 'nothing is open'
        for (const part of openParts(request)) {
          const segment = request.segments[part]
          if (!segment) continue
          segment.draft = { text: textOf(move.text * 3, part), done: true, wrong: false }
          start(model, request)
        }
        return undefined
      },
      (request) => openParts(request),
    ),
  },
  segments: {
    by: translating,
    rule: onTask(
      (model, request) => {
        if (hasOpen(request)) return 'segments are open'
        const desk = request.segments.map((segment) => deskOf(request, segment))
        const texts = desk.map(({ text }) => text)
        const isSame = deliveredIn(request).every((text, at) => text === texts[at])
        if (isSame && isOver(request) && request.error === undefined) return undefined
        const no = cancelled(request)
        if (no) return no
        deliver(model, request, texts)
        return undefined
      },
      () => 'segments',
    ),
  },
  content: {
    by: translating,
    rule: onTask((_, request, move) => {
      if (request.kind === 'file') return 'it is a file'
      request.incoming = textsOf(move, request, move.on[0] ?? 0)
      return undefined
    }),
  },
  /** A transfer is begun; its bytes are another step. */
  begin: {
    by: translating,
    rule: onTask((_, request) => {
      request.incoming = 'awaited'
      return undefined
    }),
  },
  /** The bytes of a file, after `begin`. */
  file: {
    by: translating,
    rule: onTask((_, request, move) => {
      request.incoming = textsOf(move, request, move.on[0] ?? 0)
      return undefined
    }),
  },
  deliver: {
    by: translating,
    rule: (model, move) => {
      const no = withProvider(model)
      if (no) return no
      for (const request of named(model, move)) {
        const { incoming } = request
        const bound = held(move.by, request)
        if (bound) return bound
        if (incoming === undefined && isOver(request) && request.error === undefined) continue
        if (incoming === 'awaited') return 'its bytes are missing'
        if (incoming === undefined && !request.isTranslated) return 'nothing was sent'
        const over = cancelled(request)
        if (over) return over
        request.incoming = undefined
        deliver(model, request, incoming ?? deliveredIn(request))
      }
      return undefined
    },
  },
  original: {
    by: translating,
    rule: (model, move) => {
      const no = withProvider(model)
      if (no) return no
      const some = named(model, move)
      for (const request of some) {
        const refused = held(move.by, request) ?? cancelled(request)
        if (refused) return refused
      }
      for (const at of move.on) {
        const request = model.requests[at]
        if (request) deliver(model, request, textsOf(move, request, at))
      }
      return undefined
    },
  },
  /** An XLIFF package as it is now, with new targets in some of its files. */
  xliff: {
    by: translating,
    rule: (model, move) => {
      const no = withProvider(model)
      if (no) return no
      // It comes back whole: with a file that somebody else holds, nothing of it is delivered.
      const open = model.requests.filter(({ status }) => status !== 'CANCELLED')
      for (const request of open) {
        const bound = held(move.by, request)
        if (bound) return bound
      }
      for (const at of move.on) {
        const request = model.requests[at]
        if (request && request.status !== 'CANCELLED')
          deliver(model, request, textsOf({ ...move, also: '' }, request, at))
      }
      return undefined
    },
  },
  /** The job as a whole: its requests stay as they are. */
  startJob: {
    by: managing,
    rule: (model) => {
      const no = withProvider(model)
      if (no) return no
      model.job = 'IN_TRANSLATION'
      return undefined
    },
  },
  begun: {
    by: translating,
    rule: (model, move) => {
      const no = withProvider(model)
      if (no) return no
      for (const request of named(model, move)) {
        const refused = held(move.by, request)
        if (refused) return refused
        if (isOver(request) || request.status === 'CANCELLED')
          return `the request is ${request.status}`
        start(model, request)
      }
      return undefined
    },
  },
  fail: {
    by: translating,
    rule: onTask((_, request, { text }) => {
      const error = `Trouble ${text % 2}`
      if (request.error === error) return undefined
      request.error = error
      request.told.push('ERROR')
      return undefined
    }),
  },
  clear: {
    by: translating,
    rule: onTask((_, request) => {
      request.error = undefined
      return undefined
    }),
  },
  cancel: {
    by: managing,
    rule: (model, move) => {
      const no = archived(model)
      if (no) return no
      if (!isOpenJob(model) && model.job !== 'CANCELLED') return `the job is ${model.job}`
      for (const request of named(model, move)) {
        if (request.status === 'TRANSLATION_APPROVED') return 'it is approved'
        cancel(model, request)
      }
      return undefined
    },
  },
  /** A newer source of a request, in a job of its own. */
  supersede: {
    by: connectors,
    rule: (model, move) => {
      if (model.job === 'CREATED') return 'the job was not submitted'
      const [request] = named(model, move)
      if (!request) return 'there is no such request'
      if (request.isSuperseded) return 'it is superseded already'
      request.isSuperseded = true
      if (request.status !== 'TRANSLATION_APPROVED') cancel(model, request)
      return undefined
    },
  },
  cancelJob: {
    by: managing,
    rule: stopped,
  },
  /** Time passes: nothing is due. */
  wait: { by: ['operator'], rule: () => undefined },
  /** Tasks that were given up are tried again: there are none. */
  retryTasks: { by: ['operator'], rule: () => undefined },
} as const satisfies Record<string, Rule>
export type MoveName = keyof typeof rules
export const moveNames = Object.keys(rules) as MoveName[]

function stopped(model: Model): string | undefined {
  const no = archived(model)
  if (no) return no
  if (model.job === 'CANCELLED') return undefined
  if (!isOpenJob(model)) return `the job is ${model.job}`
  const open = model.requests.filter(
    ({ status }) => status !== 'TRANSLATION_APPROVED' && status !== 'CANCELLED',
  )
  for (const request of open) cancel(model, request)
  if (open.length === 0) model.told.push('CANCELLED')
  model.job = 'CANCELLED'
  return undefined
}

function decide(to: 'TRANSLATION_APPROVED' | 'TRANSLATION_REJECTED'): Rule['rule'] {
  return (model, move) => {
    const no = archived(model)
    if (no) return no
    for (const request of named(model, move)) {
      if (request.status === to) continue
      if (request.status !== 'REVIEW_TRANSLATION') return `a request is ${request.status}`
      request.status = to
      request.error = undefined
      if (to === 'TRANSLATION_APPROVED')
        request.approved.push(...deliveredIn(request).flatMap((text) => text ?? []))
    }
    return undefined
  }
}

/** Moves that name no request. */
const aboutJob: readonly MoveName[] = [
  ...(['add', 'submit', 'complete', 'reopen', 'archive', 'unarchive'] as const),
  ...(['redeliver', 'startJob', 'cancelJob', 'wait', 'retryTasks'] as const),
  ...(['plan', 'stop', 'copy'] as const),
]

/** The model after the move, or why it is refused. */
export function after(model: Model, move: Move): Model | string {
  const { by, rule }: Rule = rules[move.does]
  if (!by.includes(move.by)) return `a ${move.by} may not`
  if (!aboutJob.includes(move.does) && move.on.some((at) => !model.requests[at]))
    return 'there is no such request'
  const next = structuredClone(model)
  return rule(next, move) ?? next
}
