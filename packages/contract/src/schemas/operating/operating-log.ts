/**
 * The history of the hub (contract, section 12): the call log, the timeline of a job, the audit
 * log.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Count, choice, EchoedCode, GivenId, GivenTime, mapOf, pageQuery, Time } from '../parts.ts'
import Type from '../type.ts'

/** Sites and clients, as `dragoman clients add` accepts them. */
const GivenName = Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$' })
const GivenSite = Type.Optional({
  ...GivenName,
  description: 'Only for an operator: limits the list to one site.',
})
const Since = Type.Optional({ ...GivenTime, description: 'The earliest time, included.' })
const Until = Type.Optional({ ...GivenTime, description: 'The latest time, included.' })
const StatusNumber = Type.Integer({ minimum: 0, maximum: 599, description: 'An HTTP status.' })

export const GivenTraceId = Type.String({
  pattern: `^[A-Za-z0-9._-]{1,${limits.traceIdCharacters}}$`,
})

/**
 * The calls that failed: all of them, those that the caller must change, or those that the hub
 * could not serve.
 */
export const statusClasses = ['failed', '4xx', '5xx'] as const
export type StatusClass = (typeof statusClasses)[number]

export const CallsQuery = pageQuery({
  client: Type.Optional({ ...GivenName, description: 'The client that called.' }),
  statusCode: Type.Optional(StatusNumber),
  statusClass: Type.Optional(
    choice(statusClasses, { description: 'Calls that failed: 4xx, 5xx, or both.' }),
  ),
  code: Type.Optional(
    Type.String({ pattern: '^[A-Za-z_]{1,64}$', description: 'The code of the error object.' }),
  ),
  route: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The path with placeholders: /v2/jobs/:jobId or /v2/jobs/{jobId}.',
    }),
  ),
  jobId: Type.Optional(GivenId),
  without: Type.Optional(
    choice(['console'], {
      description: 'console: leave out the calls that the console makes for people.',
    }),
  ),
  since: Since,
  until: Until,
  siteId: GivenSite,
})
export type CallsQuery = Static<typeof CallsQuery>

export const LoggedCall = Type.Object(
  {
    traceId: Type.String(),
    time: Time,
    method: Type.String(),
    route: Type.String({
      description: 'The path with placeholders; * for calls that share an entry.',
    }),
    ids: Type.Optional(
      mapOf(Type.String(), {
        description:
          'The parameters of the path. For a call of an assistant: `assistant`, its name, and `tool`.',
      }),
    ),
    jobId: Type.Optional(
      Type.String({ description: 'The job that the call is about, or that it created.' }),
    ),
    siteId: Type.Optional(Type.String()),
    clientId: Type.Optional(Type.String()),
    address: Type.String(),
    statusCode: Type.Integer({ description: 'The HTTP status; 0 for calls that share an entry.' }),
    code: Type.Optional(Type.String({ description: 'The code of the error object.' })),
    durationMs: Type.Number(),
    bytesIn: Count,
    bytesOut: Count,
    count: Type.Integer({
      description: 'How many calls the entry covers; duration and bytes are their totals.',
    }),
    callBody: Type.Optional(
      Type.String({
        description:
          'The body of the call, without secrets. Only if you read a single call, as an admin, in the sandbox or staging.',
      }),
    ),
    answerBody: Type.Optional(
      Type.String({ description: 'The body of the response, under the same conditions.' }),
    ),
  },
  { title: 'LoggedCall' },
)
export type LoggedCall = Static<typeof LoggedCall>

/** In the order in which events of the same millisecond are listed. */
export const timelineKinds = [
  'call',
  'upstream',
  'file',
  'quote',
  'move',
  'update',
  'task',
  'delivery',
  'attempt',
] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const TimelineQuery = pageQuery({
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.timelineItems })),
  order: Type.Optional(
    choice(['asc', 'desc'], { description: 'asc, the default: oldest first. desc: newest first.' }),
  ),
  kind: Type.Optional(
    Type.Array(choice(timelineKinds), {
      maxItems: timelineKinds.length,
      description: 'Only these kinds; repeatable.',
    }),
  ),
  only: Type.Optional(
    choice(['changes', 'errors'], {
      description: 'changes: without successful calls that only read. errors: only what failed.',
    }),
  ),
})
export type TimelineQuery = Static<typeof TimelineQuery>

const text = Type.Optional(Type.String())
const number = Type.Optional(Count)
const flag = Type.Optional(Type.Boolean())
const only = (kinds: string, says = '') => ({ description: `${kinds}.${says && ` ${says}`}` })

export const TimelineEntry = Type.Object(
  {
    time: Time,
    kind: choice(timelineKinds),
    id: Type.String({
      description: 'For a call its traceId, for an attempt the deliveryId and its number.',
    }),
    causeId: Type.String({
      description:
        'What caused it: the traceId of a call in this timeline; otherwise its kind and id, such as `call:…`, `task:…` or `upload:…`.',
    }),
    requestIds: Type.Optional(Type.Array(Type.String())),
    requests: Type.Optional(
      Type.Array(
        Type.Object({ requestName: Type.String(), targetNativeLanguageCode: EchoedCode }),
        {
          description: `The first ${limits.timelineNames} of the requests by name. Not for an operator.`,
        },
      ),
    ),
    method: Type.Optional(Type.String(only('call, upstream', 'The HTTP method.'))),
    route: Type.Optional(
      Type.String(
        only(
          'call, upstream',
          'The path with placeholders; for a call to the upstream, the path there.',
        ),
      ),
    ),
    clientId: Type.Optional(
      Type.String(only('call', 'The client that called. A client sees only its own id.')),
    ),
    code: Type.Optional(Type.String(only('call', 'The code of the error object.'))),
    statusCode: Type.Optional(
      Type.Union(
        [Type.String(), Type.Integer()],
        only('call, upstream, update', 'For a call, the HTTP status.'),
      ),
    ),
    durationMs: Type.Optional(Type.Number(only('call, upstream, attempt', 'In milliseconds.'))),
    move: Type.Optional(Type.String(only('move', 'The transition, as docs/states.md names it.'))),
    from: Type.Optional(Type.String(only('move', 'The status before.'))),
    to: Type.Optional(Type.String(only('move', 'The status after.'))),
    note: Type.Optional(
      Type.String(only('move', 'The note of a rejection that still stands. Not for an operator.')),
    ),
    sequence: number,
    hasError: flag,
    errorMessage: Type.Optional(Type.String(only('update', 'Not for an operator.'))),
    acknowledgedTime: Type.Optional({
      ...Time,
      ...only('update', 'When the client acknowledged it.'),
    }),
    listenerId: Type.Optional(
      Type.String(only('delivery, attempt', 'The listener that is called.')),
    ),
    host: Type.Optional(Type.String(only('delivery', 'Host of the URL that is called.'))),
    eventType: Type.Optional(Type.String(only('delivery', 'What the delivery reports.'))),
    deliveryId: Type.Optional(Type.String(only('attempt', 'The delivery that it tried.'))),
    responseCode: Type.Optional(Type.Integer(only('attempt', 'The HTTP status of the response.'))),
    error: Type.Optional(
      Type.String(only('attempt, upstream', 'Why there was no usable response.')),
    ),
    name: Type.Optional(
      Type.String(only('file, task', 'Its name. The name of a file is not shown to an operator.')),
    ),
    fileKind: Type.Optional(Type.String(only('file', 'source or translation.'))),
    size: number,
    state: Type.Optional(Type.String(only('delivery, file, task', 'Its state now.'))),
    tries: number,
    traceId: Type.Optional(
      Type.String(
        only(
          'upstream',
          'The `x-request-id` of the response, which identifies the call in the log there.',
        ),
      ),
    ),
    dueTime: Type.Optional({ ...Time, ...only('task', 'When it is due.') }),
    nextAttemptTime: Type.Optional({ ...Time, ...only('delivery', 'When the hub tries next.') }),
    lastError: text,
    priceListId: text,
    priceListVersion: Type.Optional(Type.Integer(only('quote', 'The version of that list.'))),
    words: Type.Optional(Type.Integer(only('quote', 'Not for an operator.'))),
    total: Type.Optional(Type.String(only('quote', 'Not for an operator.'))),
    currency: Type.Optional(Type.String(only('quote', 'Not for an operator.'))),
  },
  { title: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TimelineEntry>

export const AuditQuery = pageQuery({
  client: Type.Optional({ ...GivenName, description: 'The client that acted.' }),
  person: Type.Optional({ ...GivenId, description: 'The person who acted in the console.' }),
  thing: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z ]{0,39}$',
      description: 'The kind of thing, such as client or price list.',
    }),
  ),
  thingId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,200}$' })),
  verb: Type.Optional(
    Type.String({ pattern: '^[a-z][a-z ]{0,39}$', description: 'What was done, such as changed.' }),
  ),
  since: Since,
  until: Until,
  siteId: GivenSite,
})
export type AuditQuery = Static<typeof AuditQuery>

const Facts = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }))

export const AuditEntry = Type.Object(
  {
    auditId: Type.Integer({ description: 'Counts up without a gap.' }),
    time: Time,
    actor: choice(['client', 'person', 'command line', 'hub']),
    clientId: Type.Optional(Type.String({ description: 'The client, if the actor is one.' })),
    personId: Type.Optional(Type.String({ description: 'The person, if the actor is one.' })),
    siteId: Type.Optional(Type.String()),
    verb: Type.String(),
    thing: Type.String(),
    thingId: Type.String(),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'The names of the fields that were set.' }),
    ),
    was: Type.Optional({
      ...Facts,
      description:
        'What it was before: ids, states and numbers of the fields that changed. Never secrets or content.',
    }),
    is: Type.Optional({ ...Facts, description: 'What it became: the same fields, after the act.' }),
    traceId: Type.String(),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
