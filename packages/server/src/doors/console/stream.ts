/**
 * `GET /console/stream`: server-sent events for the console, ids and versions only. The site is in
 * the query, since a browser sets no headers here. `Last-Event-ID`, or `after` for a browser that
 * begins anew, tells what was missed; `begin` is the position of the session with which a page was
 * opened. A stream ends when the session does or its roles change, when its reader is slow, and
 * when the node stops.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import type { Writable } from 'node:stream'
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  HubError,
  limits,
  rolesOf,
  type Topic,
  topics,
} from '@dragoman/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, noSite } from '../../domain/access/caller.ts'
import { jobsSeen } from '../../domain/jobs/work.ts'
import { rolesNow, sandboxSession } from '../../domain/people/sessions.ts'
import {
  type Change,
  readChanges,
  readPositions,
  writePositions,
} from '../../domain/views/changes/read-changes.ts'
import type { Hub } from '../../hub.ts'
import { mustNotBeCrossSite } from '../http/cors.ts'
import type { Metrics } from '../http/metrics.ts'
import { eventsText, type Follower, factTopics, heardBy, openFeed } from './feed.ts'
import { identifyPerson } from './identify-person.ts'

/** Whoever may list a kind of thing gets its events; a topic without a call is for everybody. */
const readBy: Readonly<Partial<Record<Topic, EndpointName>>> = {
  job: 'listJobs',
  timeline: 'listTimeline',
  delivery: 'listSiteDeliveries',
  listener: 'listSiteDeliveries',
  call: 'listCalls',
  task: 'listTasks',
  finding: 'listFindings',
  node: 'listNodes',
  provider: 'listProviders',
  price: 'listPriceLists',
  code: 'listAnalysisCodes',
  client: 'listClients',
  person: 'listPeople',
  site: 'listSites',
  audit: 'listAudit',
}
/** The topics of an operator, who belongs to no site. */
const ofHub: ReadonlySet<Topic> = new Set([
  'node',
  'site',
  'client',
  'task',
  'finding',
  'clock',
  'audit',
  'all',
])

/** Every person may call it. */
const anyone: Endpoint = {
  call: 'GET /stream',
  says: '',
  tag: 'Console',
  scope: 'any',
  answers: {},
  fails: [],
}
const checkMs = 30_000
/**
 * A page opens its stream within this time after its session; later, or if the clock was moved, it
 * is told all facts.
 */
const freshMs = 5_000

type Stream = Follower & { readonly person: NonNullable<Caller['person']>; readonly holder: string }
export type StreamParts = { readonly metrics: Metrics; readonly isStopping: () => boolean }

export function registerStream(
  app: FastifyInstance,
  hub: Hub,
  { metrics, isStopping }: StreamParts,
): void {
  const streams = new Set<Stream>()
  const identify = identifyPerson(hub, anyone)
  const feed = openFeed(hub, {
    told: (changes) => {
      const changed = new Set(changes.filter(({ topic }) => topic === 'person').map(({ id }) => id))
      if (changed.size === 0) return
      for (const stream of streams)
        if (changed.has(stream.person.personId) || changed.has(stream.person.sessionId))
          void check(stream)
    },
    isStopping,
  })
  metrics.readStreams(() => streams.size)

  /** Ends a stream whose session ended, or whose person now has other roles. */
  const check = async (stream: Stream): Promise<void> => {
    const sites = await rolesNow(hub, stream.person).catch(() => undefined)
    if (JSON.stringify(sites) !== JSON.stringify(stream.person.sites)) stream.end()
  }
  const checks = setInterval(() => {
    for (const stream of streams) void check(stream)
  }, checkMs).unref()
  app.addHook('onClose', async () => {
    clearInterval(checks)
    feed.close()
  })

  app.get('/console/stream', {
    exposeHeadRoute: false,
    onRequest: async (request) => {
      mustNotBeCrossSite(request)
      const { site } = request.query as { site?: unknown }
      if (typeof site === 'string' && site !== '') request.headers['x-dragoman-site'] = site
      await identify(request)
    },
    handler: async (request, reply) => {
      const holder = holderOf(request)
      mustHaveRoom(streams, holder, isStopping())
      const { raw } = reply
      const { caller } = request
      const { person } = caller
      // It may have gone while the session was read: its `close` has passed, and nothing would take
      // the stream out again.
      if (raw.destroyed || request.raw.socket.destroyed) return reply.hijack()
      if (!person) throw new HubError('UNAUTHORIZED', { because: 'sign in to the console.' })
      const stream: Stream = {
        person,
        holder,
        siteId: caller.siteId,
        topics: topicsOf(caller),
        ...(caller.work && { seen: inOrder((changes) => changesSeen(hub, caller, changes)) }),
        send: (text) => {
          // The position that the stream begins with covers earlier events.
          if (reply.isStream) sendTo(raw, text)
        },
        end: () => {
          leave()
          if (reply.isStream) raw.end()
        },
      }
      const leave = (): void => {
        streams.delete(stream)
        feed.leave(stream)
      }
      streams.add(stream)
      raw.once('close', leave).on('error', leave)
      try {
        // Joins first, so that nothing is lost that changes while the missed events are read.
        const at = await feed.join(stream)
        if (at === undefined) throw stopping()
        reply.isStream = true
        reply.hijack()
        // Not chunked, so that all streams share one text: the end of the connection ends the
        // stream.
        raw.useChunkedEncodingByDefault = false
        raw.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          connection: 'close',
        })
        const { begin } = request.query as { begin?: unknown }
        const isFirst = typeof begin === 'string' && begin !== ''
        const after = isFirst ? begin : positionIn(request)
        // A resumed stream keeps its old position until it has received what it missed.
        raw.write(
          `retry: 2000\n${after === undefined ? `id: ${at}\n` : ''}event: ready\ndata: {}\n\n`,
        )
        if (after !== undefined) await tellMissed(hub, stream, { after, isFirst, now: at })
      } catch (error) {
        stream.end()
        if (!reply.isStream) throw error
      }
      return reply
    },
  })
}

/**
 * Of a person who is limited to some work: jobs and providers that are theirs, and what names no
 * thing.
 */
async function changesSeen(
  hub: Hub,
  caller: Caller,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const jobIds = changes.flatMap(({ topic, id }) =>
    (topic === 'job' || topic === 'timeline') && id ? [id] : [],
  )
  const jobs = await jobsSeen(hub, caller, [...new Set(jobIds)])
  return changes.filter(({ topic, id }) => {
    if (topic === 'job' || topic === 'timeline') return id !== undefined && jobs.has(id)
    if (topic === 'provider')
      return id !== undefined && (caller.work?.providerIds.includes(id) ?? false)
    return topic === 'all' || topic === 'clock'
  })
}

/** One after the other, so that events stay in order. */
function inOrder<A, B>(ask: (given: A) => Promise<B>): (given: A) => Promise<B> {
  let last: Promise<unknown> = Promise.resolve()
  return (given) => {
    const next = last.then(() => ask(given))
    last = next.catch(() => undefined)
    return next
  }
}

/** A slow reader is disconnected: the browser reconnects and gets what it missed. */
export function sendTo(raw: Writable, text: string): void {
  if (raw.writableEnded || raw.destroyed) return
  raw.write(text)
  if (raw.writableLength > limits.streamLagBytes) raw.destroy()
}

/** The last position that the browser received. */
function positionIn({ headers, query }: FastifyRequest): string | undefined {
  const given = headers['last-event-id'] ?? (query as { after?: unknown }).after
  return typeof given === 'string' && given !== '' ? given : undefined
}

type Missed = { readonly after: string; readonly isFirst: boolean; readonly now: string }

/** Sends everything since that position, or that anything may have changed since. */
async function tellMissed(
  hub: Hub,
  stream: Stream,
  { after, isFirst, now }: Missed,
): Promise<void> {
  const from = readPositions(after)
  const missed = from && (await readChanges(hub, from))
  if (!missed) return stream.send(`id: ${now}\ndata: ${JSON.stringify({ topic: 'all' })}\n\n`)
  const age = hub.clock.now() - from.jobs
  // A page that was just opened has read them just now.
  const isFresh = isFirst && age >= 0 && age < freshMs
  const facts = isFresh ? [] : factTopics.map((topic) => ({ topic, siteId: undefined }))
  const heard = heardBy(stream, [...missed.changes, ...facts])
  const text = eventsText((await stream.seen?.(heard)) ?? heard, writePositions(missed.positions))
  if (text !== '') stream.send(text)
}

const stopping = () =>
  new HubError('SERVICE_UNAVAILABLE', { because: 'it is stopping.' }, { retryAfter: 1 })

function mustHaveRoom(streams: ReadonlySet<Stream>, holder: string, isStopping: boolean): void {
  if (isStopping) throw stopping()
  if (streams.size >= limits.streamsPerNode)
    throw new HubError(
      'SERVICE_UNAVAILABLE',
      { because: 'this node has reached its limit of event streams.' },
      { retryAfter: 30 },
    )
  let held = 0
  for (const stream of streams) if (stream.holder === holder) held += 1
  if (held >= limits.streamsPerSession)
    throw new HubError(
      'RATE_LIMITED',
      { because: `at most ${limits.streamsPerSession} event streams of one session.`, seconds: 30 },
      { retryAfter: 30 },
    )
}

/** One session; one browser where the sandbox needs no sign-in. */
const holderOf = ({ caller: { person }, headers, ip }: FastifyRequest): string =>
  person && person.sessionId !== sandboxSession ? person.sessionId : `${headers.cookie ?? ip}`

export function topicsOf({ siteId, person, work }: Caller): ReadonlySet<Topic> {
  const hears = (topic: Topic): boolean => {
    const name = readBy[topic]
    if (work && name && !(endpoints[name] as Endpoint).work) return false
    return (
      name === undefined ||
      (person?.roles.some((role) => rolesOf(endpoints[name]).includes(role)) ?? false)
    )
  }
  return new Set(topics.filter((topic) => hears(topic) && (siteId !== noSite || ofHub.has(topic))))
}
