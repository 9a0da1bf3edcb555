/**
 * Translators, reviewers and provider managers of one provider and one language, against the work
 * of another provider, another language and nobody: every call of the table, the search, the counts
 * and the streams.
 */
import {
  consoleEndpoints,
  type Endpoint,
  endpoints,
  methodOf,
  pathOf,
  type Role,
} from '@dragoman/contract'
import { openStream } from '../event-stream.ts'
import { bootstrapId, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { enter, type Visitor } from '../visitor.ts'
import type { BreakIn } from './break-in.ts'

type Ids = Readonly<Record<string, string>>
type Stage = {
  readonly own: Ids
  /** The same job in another language, a job of another provider, and one of nobody. */
  readonly strange: readonly Ids[]
  readonly providers: readonly [string, string]
}

/** In every name and text that a limited person must not see. */
const mark = 'unseen'

const asAdmin = async (
  hub: TestHub,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const answer = await hub.call(method, path, {
    as: bootstrapId,
    ...(body !== undefined && { body }),
  })
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function addJob(
  hub: TestHub,
  name: string,
  languages: readonly [string, string][],
  providerId?: string,
): Promise<Ids[]> {
  const jobId = String(
    (await asAdmin(hub, 'POST', '/v2/jobs', { jobName: name, description: name })).jobId,
  )
  const found: Ids[] = []
  for (const [language, requestName] of languages) {
    const { requests } = await asAdmin(hub, 'POST', `/v2/jobs/${jobId}/requests/add`, {
      requestName,
      sourceNativeId: requestName,
      sourceNativeLanguageCode: 'en-US',
      targetNativeLanguageCodes: [language],
      fields: [{ key: 'k', value: requestName }],
    })
    const [request] = requests as { requestId: string; sourcecontentId?: string }[]
    const { requestId = '', sourcecontentId = 'none' } = request ?? {}
    found.push({
      jobId,
      requestId,
      assetTaskId: requestId,
      sourcecontentId,
      providerId: providerId ?? 'none',
    })
  }
  if (providerId === undefined) return found
  await asAdmin(hub, 'PUT', `/v2/jobs/${jobId}/submit`, { providerId })
  await until('the provider has the job', async () => {
    const { statusCode } = await asAdmin(hub, 'GET', `/v2/jobs/${jobId}`)
    return statusCode === 'SENT_TO_PROVIDER'
  })
  return found
}

const stages = new WeakMap<TestHub, Promise<Stage>>()
function stageOf(hub: TestHub): Promise<Stage> {
  const known = stages.get(hub) ?? openStage(hub)
  stages.set(hub, known)
  return known
}

async function openStage(hub: TestHub): Promise<Stage> {
  const addProvider = async (name: string) =>
    String((await asAdmin(hub, 'POST', '/v2/providers', { name, typeId: 'manual' })).id)
  const providers = [await addProvider('Ours'), await addProvider(`${mark} provider`)] as const
  const [own, french] = await addJob(
    hub,
    'Ours',
    [
      ['de-DE', 'ours'],
      ['fr-FR', `${mark} french`],
    ],
    providers[0],
  )
  const [foreign] = await addJob(hub, `${mark} job`, [['de-DE', `${mark} foreign`]], providers[1])
  const [language] = await addJob(
    hub,
    `${mark} language`,
    [['fr-FR', `${mark} other`]],
    providers[0],
  )
  const [draft] = await addJob(hub, `${mark} draft`, [['de-DE', `${mark} draft`]])
  if (!own || !french || !foreign || !language || !draft) throw new Error('no requests')
  return { own, strange: [french, foreign, language, draft], providers }
}

/** Gives a person roles in `main`, as an admin does. */
async function limited(hub: TestHub, sites: object): Promise<Visitor> {
  const person = await enter(hub, ['viewer'], 'main')
  await asAdmin(hub, 'PATCH', `/v2/people/${person.session.person.personId}`, { sites: [sites] })
  await person.call('GET', '/session')
  return person
}

const table: readonly [string, Endpoint][] = [
  ...Object.entries(endpoints),
  ...Object.entries(consoleEndpoints),
]

const ofWork = table.filter(([, row]) => row.work || row.scope === 'any')

/** Everything that the person can read or do with the ids: what holds the mark, or was accepted. */
async function tryAll(
  person: Visitor,
  ids: Ids,
  mayShow: (name: string) => boolean,
  some: typeof table,
): Promise<string[]> {
  const found: string[] = []
  for (const [name, row] of some) {
    if (row.open || ['signOut', 'changeMe', 'endOwnSession'].includes(name)) continue
    const path = pathOf(row).replace(
      /\{(\w+)\}/g,
      (_, param: string) => ids[param] ?? 'AAAAAAAAAAAAAAAAAAAAAA',
    )
    const body = {
      ...{
        requestIds: [ids.requestId],
        note: 'x',
        assetTaskIds: [ids.requestId],
        jobId: ids.jobId,
      },
      ...{ assetTasksUpdate: { statusCode: 'IN_TRANSLATION' }, fields: [{ key: 'k', value: 'v' }] },
    }
    const query = { q: ids.jobId ?? '', jobId: ids.jobId ?? '' }
    const answer = await person.call(
      methodOf(row),
      path,
      methodOf(row) === 'GET' ? { query } : { body },
    )
    const text = JSON.stringify(answer.body)
    if (text.includes(mark)) found.push(`${name} shows ${text.slice(0, 200)}`)
    const isAboutJob = row.call.includes('{jobId}')
    if (isAboutJob && answer.status < 400 && !mayShow(name))
      found.push(`${name} answered ${answer.status} ${text.slice(0, 100)}`)
    if (answer.status >= 500) found.push(`${name} failed`)
  }
  return found
}

const roles = ['translator', 'reviewer', 'provider-manager'] as const satisfies readonly Role[]
const nothingShown = () => false

export const roleAttacks: readonly BreakIn[] = [
  ...roles.map(
    (role): BreakIn => ({
      name: `a ${role} of one provider and language reads and does nothing with the work of others`,
      tries: async ({ hub }) => {
        const { own, strange, providers } = await stageOf(hub)
        const person = await limited(hub, {
          roles: [role],
          providers: [providers[0]],
          languages: ['de_de'],
        })
        const found: string[] = []
        // The job of the first is the person's own, in another language.
        for (const [at, ids] of strange.entries())
          found.push(
            ...(await tryAll(
              person,
              ids,
              at === 0
                ? (name) => !/^(?!list).*(Request|Task|Content|retrieve)/.test(name)
                : nothingShown,
              // Other calls are refused whatever they name: once is enough.
              at === 1 ? table : ofWork,
            )),
          )
        const job = await person.call('GET', `/jobs/${own.jobId}`)
        const requests = await person.call<{ requests: unknown[] }>(
          'GET',
          `/jobs/${own.jobId}/requests`,
        )
        if (job.status !== 200 || requests.body.requests?.length !== 1)
          found.push(`its own job: ${job.status}, ${requests.body.requests?.length}`)
        return found
      },
    }),
  ),
  {
    name: 'a translator without providers sees nothing, and a reviewer without providers the whole site',
    tries: async ({ hub }) => {
      const { own } = await stageOf(hub)
      const translator = await limited(hub, { roles: ['translator'] })
      const reviewer = await limited(hub, { roles: ['reviewer'] })
      const jobsOf = async (person: Visitor) =>
        (await person.call<{ jobs: unknown[] }>('GET', '/jobs')).body.jobs.length
      const [none, all] = [await jobsOf(translator), await jobsOf(reviewer)]
      const found = await tryAll(translator, own, nothingShown, ofWork)
      return none === 0 && all >= 4
        ? found
        : [...found, `the translator sees ${none} jobs, the reviewer ${all}`]
    },
  },
  {
    name: 'counts and the search tell a translator of its own work only',
    tries: async ({ hub }) => {
      const { own, strange, providers } = await stageOf(hub)
      const person = await limited(hub, {
        roles: ['translator'],
        providers: [providers[0]],
        languages: ['de-DE'],
      })
      const counts = await person.call<{ states: Record<string, number> }>('GET', '/jobs/counts')
      const open = await person.call<{ openJobs: number }>('GET', '/counts')
      const sum = Object.values(counts.body.states).reduce((all, one) => all + one, 0)
      const search = async (q: string) =>
        (await person.call<{ things: unknown[] }>('GET', '/find', { query: { q } })).body.things
          .length
      const hits = await Promise.all(
        [mark, providers[1], ...strange.map(({ requestId = '' }) => requestId)].map(search),
      )
      const ownHits = await search(own.requestId ?? '')
      // Its job has a request in another language, too.
      const shown = async (path: string) =>
        (await person.call('GET', path)).body as Record<string, unknown>
      const [ofJob, jobs] = [
        `/jobs/${own.jobId}?aggregateRequests=true`,
        '/jobs?aggregateRequests=true',
      ]
      const work = `/providers/${providers[0]}/jobs`
      const totals = [
        await shown(ofJob),
        ...((await shown(jobs)).jobs as Record<string, unknown>[]),
      ].map(({ aggregateRequests }) => (aggregateRequests as { total: number }).total)
      const tasks = [
        await shown(`${work}/${own.jobId}`),
        ...((await shown(work)).jobs as Record<string, unknown>[]),
      ].map(({ assetTaskCount }) => assetTaskCount)
      const said = JSON.stringify([sum, open.body.openJobs, hits, ownHits, totals, tasks])
      return said === '[1,1,[0,0,0,0,0,0],1,[1,1],[1,1]]' ? [] : [said]
    },
  },
  {
    name: 'the stream of a translator tells of its own jobs only',
    tries: async ({ hub }) => {
      const { own, strange, providers } = await stageOf(hub)
      const person = await limited(hub, {
        roles: ['translator'],
        providers: [providers[0]],
        languages: ['de-DE'],
      })
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const stream = await openStream(hub.url, { headers: { cookie } })
      const touch = (ids: Ids | undefined) =>
        asAdmin(hub, 'PATCH', `/v2/providers/${ids?.providerId}/jobs/${ids?.jobId}`, {
          providerReference: `touched ${Date.now()}`,
        })
      await touch(strange[1])
      await touch(own)
      await stream.until('job', own.jobId)
      const text = JSON.stringify(stream.events)
      stream.close()
      return strange
        .slice(1)
        .flatMap(({ jobId = '' }) => (text.includes(jobId) ? [`it tells of ${jobId}`] : []))
    },
  },
  {
    name: 'a page of another site opens no stream with the cookie of a person',
    tries: async ({ hub }) => {
      const person = await enter(hub, ['viewer'], 'main')
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const stream = await openStream(hub.url, {
        headers: { cookie, 'sec-fetch-site': 'cross-site' },
      })
      stream.close()
      return stream.status === 403 ? [] : [`it answered ${stream.status}`]
    },
  },
  {
    name: 'more providers end a link, and providers of another site are refused',
    tries: async ({ hub }) => {
      const { providers } = await stageOf(hub)
      const person = await enter(hub, ['viewer'], 'main')
      const path = `/v2/people/${person.session.person.personId}`
      const give = (sites: object) =>
        hub.call('PATCH', path, { as: bootstrapId, body: { sites: [sites] } })
      const said = [
        (await give({ roles: ['translator'], providers: ['AAAAAAAAAAAAAAAAAAAAAA'] })).status,
        (await give({ roles: ['viewer'], providers: [providers[0]] })).status,
        (await give({ roles: ['translator'], languages: ['de-DE'] })).status,
        (
          await give({
            roles: ['translator'],
            providers: [providers[0]],
            languages: ['xx-nowhere'],
          })
        ).status,
        (await give({ roles: ['translator'], providers: [providers[0]] })).status,
      ]
      await hub.call('POST', `${path}/link`, { as: bootstrapId })
      const links = async () =>
        (
          await hub.inner.db.read
            .selectFrom('person_links')
            .selectAll()
            .where('person_id', '=', person.session.person.personId)
            .execute()
        ).length
      const before = await links()
      await give({ roles: ['translator'], providers: [...providers] })
      const all = JSON.stringify([said, before, await links()])
      return all === '[[400,400,400,400,200],1,0]' ? [] : [all]
    },
  },
]
