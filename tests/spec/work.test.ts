/**
 * Lists of work for the people at the desk, who can be given work, and the terms in a source text
 * (contract, section 13).
 */
import type {
  FoundTerms,
  OpenCounts,
  Role,
  SegmentMatch,
  WorkItem,
  WorkPeople,
} from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJob, providersOf } from '../console/some-jobs.ts'
import { openStream } from '../event-stream.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { priceList } from '../price-list.ts'
import { enter } from '../visitor.ts'

type Person = Awaited<ReturnType<typeof enter>>
type Limits = { providers?: string[]; languages?: string[] }
type Page = { work: WorkItem[]; next?: string; code?: string }

describe.each(databases)('work on %s', (database) => {
  let hub: TestHub
  let manual = ''
  let agency = ''
  let pseudo = ''
  /** Names of jobs by their ids, and the other way round. */
  const names = new Map<string, string>()
  const ids = new Map<string, string>()
  const people = new Map<string, Person>()

  const call = async <T>(as: string, method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await hub.call<T>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
    })
    expect([answer.status, answer.body]).toEqual([
      expect.toSatisfy((status) => status < 300),
      expect.anything(),
    ])
    return answer.body
  }
  const someone = async (
    name: string,
    roles: readonly Role[],
    limits: Limits = {},
  ): Promise<Person> => {
    const person = await enter(hub, limits.providers ? ['viewer'] : roles, 'demo')
    if (limits.providers) {
      const sites = [{ roles, ...limits }]
      await call('demo-admin', 'PATCH', `/people/${person.session.person.personId}`, { sites })
    }
    people.set(name, person)
    return person
  }
  const who = (name: string): Person => people.get(name) as Person
  const idOf = (name: string): string => who(name).session.person.personId
  const page = (person: Person, query: Record<string, string>) =>
    person.call<Page>('GET', '/work', { query })
  /** Those of this test, as `Job language`. */
  const seen = (work: readonly WorkItem[]) =>
    work.flatMap(({ jobId, targetNativeLanguageCode }) => {
      const name = names.get(jobId)
      return name ? [`${name} ${targetNativeLanguageCode.slice(0, 2)}`] : []
    })
  const list = async (name: string, query: Record<string, string>): Promise<string[]> => {
    const { status, body } = await page(who(name), query)
    expect([status, body]).toEqual([200, expect.anything()])
    return seen(body.work)
  }
  const itemOf = async (name: string, view: string, job: string): Promise<WorkItem | undefined> =>
    (await page(who(name), { view })).body.work.find(({ jobId }) => jobId === ids.get(job))
  const pathOf = ({ providerId, jobId, requestId }: WorkItem) =>
    `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
  const counted = async (name: string) =>
    (await who(name).call<OpenCounts>('GET', '/counts')).body.work

  beforeAll(async () => {
    hub = await startHub({ database })
    await call('demo-admin', 'POST', '/settings/pricelists', priceList)
    const { Manual = '', Pseudo = '' } = await providersOf(hub)
    manual = Manual
    pseudo = Pseudo
    const made = await call<{ id: string }>('demo-admin', 'POST', '/providers', {
      name: 'Agency',
      typeId: 'manual',
    })
    agency = made.id
    const jobs = [
      { jobName: 'Later', due: 3, submit: manual, targets: ['de-de', 'fr-fr'], shouldQuote: true },
      { jobName: 'Soon', due: 1, submit: manual },
      { jobName: 'Other', due: 2, submit: agency },
      { jobName: 'Never', submit: manual },
      { jobName: 'Machine', due: 1, submit: pseudo },
      { jobName: 'Draft', due: 1 },
    ]
    for (const job of jobs) {
      const { jobId } = await makeJob(hub, job)
      names.set(jobId, job.jobName)
      ids.set(job.jobName, jobId)
    }
    await until('the jobs are sent', async () => {
      const job = await call<{ statusCode: string }>(
        'demo-connector',
        'GET',
        `/jobs/${ids.get('Never')}`,
      )
      return job.statusCode === 'SENT_TO_PROVIDER'
    })
    await someone('translator', ['translator'], { providers: [manual], languages: ['de-DE'] })
    await someone('translator of all languages', ['translator'], { providers: [manual, agency] })
    await someone('translator without providers', ['translator'])
    await someone('reviewer', ['reviewer'])
    await someone('reviewer of a provider', ['reviewer'], { providers: [agency] })
    await someone('translator and reviewer', ['translator', 'reviewer'])
    await someone('provider manager', ['provider-manager'], { providers: [manual] })
    await someone('manager', ['manager'])
    await someone('admin', ['admin'])
    await someone('viewer', ['viewer'])
    await until('the job is quoted', async () => (await itemOf('admin', 'OPEN', 'Later'))?.words)
    await until('the machine is done', async () => itemOf('reviewer', 'REVIEW', 'Machine'))
  })
  afterAll(() => hub.close())

  const all = ['Soon de', 'Other de', 'Later de', 'Later fr', 'Never de']
  it.each([
    { name: 'translator', open: ['Soon de', 'Later de', 'Never de'] },
    { name: 'translator of all languages', open: all },
    { name: 'translator without providers', open: [] },
    { name: 'reviewer', open: [] },
    { name: 'translator and reviewer', open: [] },
    { name: 'provider manager', open: ['Soon de', 'Later de', 'Later fr', 'Never de'] },
    { name: 'manager', open: [] },
    { name: 'admin', open: all },
  ])('shows a $name what they could claim, by due date', async ({ name, open }) => {
    expect(await list(name, { view: 'OPEN' })).toEqual(open)
    expect(await list(name, { view: 'MINE' })).toEqual([])
  })

  it('refuses who has no part in translating, and a language that is none', async () => {
    const refused = await page(who('viewer'), { view: 'OPEN' })
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
    expect(await counted('viewer')).toBeUndefined()
    expect(
      (await who('translator').call('GET', '/work/people', { query: { providerId: manual } }))
        .status,
    ).toBe(403)
    expect((await page(who('admin'), { view: 'OPEN', language: 'nonsense' })).body.code).toBe(
      'INVALID_LANGUAGE',
    )
    expect((await page(who('admin'), {})).status).toBe(400)
  })

  it('narrows to a provider and a language, within what the person may see', async () => {
    expect(await list('admin', { view: 'OPEN', providerId: agency })).toEqual(['Other de'])
    expect(await list('admin', { view: 'OPEN', language: 'FR_fr' })).toEqual(['Later fr'])
    expect(await list('translator', { view: 'OPEN', providerId: agency })).toEqual([])
    expect(await list('translator', { view: 'OPEN', language: 'fr-FR' })).toEqual([])
  })

  it('goes on from page to page, and refuses a cursor of another list', async () => {
    const found: string[] = []
    let navNext: string | undefined
    do {
      const { status, body } = await page(who('translator of all languages'), {
        view: 'OPEN',
        pageSize: '2',
        ...(navNext && { navNext }),
      })
      expect([status, body]).toEqual([200, expect.anything()])
      expect(body.work.length).toBeLessThanOrEqual(2)
      found.push(...seen(body.work))
      if (!navNext) {
        const cursor = body.next ?? ''
        const other = await page(who('translator of all languages'), {
          view: 'MINE',
          navNext: cursor,
        })
        expect([other.status, other.body.code]).toEqual([400, 'INVALID_CURSOR'])
        expect((await page(who('admin'), { view: 'OPEN', navNext: cursor })).body.code).toBe(
          'INVALID_CURSOR',
        )
      }
      navNext = body.next
    } while (navNext)
    expect(found).toEqual(all)
  })

  it('takes words and matches from the quote, and has none of a job without one', async () => {
    const item = await itemOf('translator', 'OPEN', 'Later')
    expect(item).toMatchObject({
      providerId: manual,
      providerName: 'Manual',
      jobName: 'Later',
      statusCode: 'SENT_TO_PROVIDER',
      hasError: false,
      words: 11,
      matches: [{ band: 'New', words: 11 }],
      segments: { count: 3, open: 3 },
      dueDate: expect.stringContaining('T'),
    })
    const price = { amount: expect.stringMatching(/^\d+\.\d+$/), currency: 'EUR' }
    expect(await itemOf('admin', 'OPEN', 'Later')).toMatchObject({ words: 11, price })
    const plain = await itemOf('translator', 'OPEN', 'Never')
    expect(Object.keys(plain ?? {})).not.toEqual(expect.arrayContaining(['words']))
    expect(plain).not.toHaveProperty('dueDate')
  })

  it.each([
    ['translator', false],
    ['provider manager', false],
    ['admin', true],
  ])("shows the customer's price to a %s: %s", async (name, isShown) => {
    const { body } = await page(who(name), { view: 'OPEN' })
    expect(JSON.stringify(body).includes('"price"')).toBe(isShown)
    const path = `/jobs/${ids.get('Later')}/timeline`
    type Timeline = { timeline: { total?: string; currency?: string }[] }
    const timeline = await who(name).call<Timeline>('GET', path, { query: { kind: 'quote' } })
    const [quote] = timeline.body.timeline
    expect(quote).toMatchObject({ kind: 'quote', words: expect.any(Number) })
    expect([quote?.total !== undefined, quote?.currency !== undefined]).toEqual([isShown, isShown])
  })

  it('follows a task: claimed, delivered, in review, rejected, back with the note, released', async () => {
    const translator = who('translator')
    const item = (await itemOf('translator', 'OPEN', 'Later')) as WorkItem
    const task = pathOf(item)
    expect((await translator.call('POST', `${task}/claim`)).status).toBe(200)
    expect(await list('provider manager', { view: 'OPEN' })).toEqual([
      'Soon de',
      'Later fr',
      'Never de',
    ])
    expect((await itemOf('translator', 'MINE', 'Later'))?.assignee).toEqual({
      personId: idOf('translator'),
      name: translator.session.person.name,
    })
    expect(await list('translator of all languages', { view: 'MINE' })).toEqual([])
    expect([
      await counted('translator'),
      await counted('reviewer'),
      await counted('admin'),
    ]).toEqual([1, 1, 0])

    const { segments } = await call<{ segments: { segmentId: string; source: unknown[] }[] }>(
      'demo-provider',
      'GET',
      `${task}/segments`,
    )
    const written = segments.map(({ segmentId }, at) => ({
      segmentId,
      target: [`Text ${'abc'.charAt(at)}`],
      state: 'TRANSLATED',
      version: 0,
    }))
    const put = (some: typeof written) =>
      translator.call('PUT', `${task}/segments`, { body: { segments: some } })
    expect((await put(written.slice(0, 2))).status).toBe(200)
    expect((await itemOf('translator', 'MINE', 'Later'))?.segments).toEqual({ count: 3, open: 1 })
    expect((await put(written.slice(2))).status).toBe(200)
    expect((await translator.call('POST', `${task}/segments/deliver`)).status).toBe(200)
    expect(await list('translator', { view: 'MINE' })).toEqual([])
    expect(await counted('translator')).toBe(0)

    const reviews = [
      ['reviewer', ['Machine de', 'Later de']],
      ['manager', ['Machine de', 'Later de']],
      ['admin', ['Machine de', 'Later de']],
      ['translator and reviewer', ['Machine de', 'Later de']],
      ['reviewer of a provider', []],
      ['translator', []],
      ['provider manager', []],
    ] as const
    for (const [name, review] of reviews)
      expect([name, await list(name, { view: 'REVIEW' })]).toEqual([name, review])
    expect([
      await counted('reviewer'),
      await counted('reviewer of a provider'),
      await counted('manager'),
    ]).toEqual([2, 0, 0])

    const body = { requestIds: [item.requestId], note: 'The tone is wrong.' }
    expect(
      (await who('reviewer').call('PUT', `/jobs/${item.jobId}/requests/reject`, { body })).status,
    ).toBe(200)
    expect(await list('reviewer', { view: 'REVIEW' })).toEqual(['Machine de'])
    const back = await itemOf('translator', 'MINE', 'Later')
    expect(back).toMatchObject({ statusCode: 'TRANSLATION_REJECTED' })
    expect(back?.rejectNote).toContain('The tone is wrong.')
    expect((await translator.call('POST', `${task}/release`)).status).toBe(200)
    expect(await list('translator', { view: 'MINE' })).toEqual([])
    expect(await list('translator', { view: 'OPEN' })).toEqual(['Soon de', 'Later de', 'Never de'])
  })

  it('tells those who see a job, and nobody else, that its work changed', async () => {
    const cookiesOf = (person: Person) =>
      [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const follow = (person: Person) =>
      openStream(hub.url, { headers: { cookie: cookiesOf(person) } })
    const away = await someone('translator elsewhere', ['translator'], { providers: [agency] })
    const [near, far, judge] = [
      await follow(who('translator')),
      await follow(away),
      await follow(who('reviewer')),
    ]
    const { jobId } = await makeJob(hub, { jobName: 'Live', submit: manual })
    names.set(jobId, 'Live')
    ids.set('Live', jobId)
    const told = () => near.events.filter(({ topic, id }) => topic === 'job' && id === jobId).length
    await expect.poll(told).toBeGreaterThan(0)
    await expect
      .poll(() => list('translator', { view: 'OPEN', providerId: manual }))
      .toContain('Live de')
    const item = (await itemOf('translator', 'OPEN', 'Live')) as WorkItem
    const task = pathOf(item)
    const fields = ['a', 'b', 'c'].map((letter, at) => ({
      key: `text.${at}`,
      value: `Text ${letter}`,
    }))
    const review = (verb: string) => () =>
      who('reviewer').call('PUT', `/jobs/${jobId}/requests/${verb}`, {
        body: { requestIds: [item.requestId] },
      })
    const deliver = async () => {
      const given = { fields }
      await hub.call('PUT', `/v2${task}/translatedContent`, { as: 'demo-provider', body: given })
      const body = { statusCode: 'TRANSLATION_SUBMITTED', force: true }
      return hub.call('PATCH', `/v2${task}`, { as: 'demo-provider', body })
    }
    const steps: readonly (readonly [string, () => Promise<{ status: number; body: unknown }>])[] =
      [
        ['claimed', () => who('translator').call('POST', `${task}/claim`)],
        ['released', () => who('provider manager').call('POST', `${task}/release`)],
        ['delivered', deliver],
        ['rejected', review('reject')],
      ]
    for (const [name, step] of steps) {
      const before = told()
      const { status, body } = await step()
      expect([name, status, body]).toEqual([name, 200, expect.anything()])
      await expect.poll(told, { message: name }).toBeGreaterThan(before)
    }
    await judge.until('job', jobId)
    // What comes later arrives later: then the one who must not know has not been told.
    const { jobId: theirs } = await makeJob(hub, { jobName: 'Elsewhere', submit: agency })
    await far.until('job', theirs)
    expect(far.events.filter(({ id }) => id === jobId)).toEqual([])
    for (const stream of [near, far, judge]) stream.close()
  })

  it('gives work only to those who translate for its provider and into its language', async () => {
    const { work } = (await page(who('admin'), { view: 'OPEN' })).body
    const french = work.find(
      (one) => one.providerId === manual && one.targetNativeLanguageCode === 'fr-fr',
    )
    const theirs = work.find((one) => one.providerId === agency)
    const give = async (item: WorkItem | undefined, name: string) => {
      const body = { personId: idOf(name) }
      const path = `${pathOf(item as WorkItem)}/claim`
      const answer = await who('admin').call<{ message: string; code?: string }>('POST', path, {
        body,
      })
      return [
        answer.status,
        answer.body.code,
        /does not translate into (\S+) for/.exec(answer.body.message)?.[1],
      ]
    }
    expect(await give(theirs, 'reviewer of a provider')).toEqual([403, 'FORBIDDEN', 'de-de'])
    expect(await give(french, 'translator')).toEqual([403, 'FORBIDDEN', 'fr-fr'])
    for (const name of [
      'reviewer',
      'provider manager',
      'viewer',
      'manager',
      'translator without providers',
    ])
      expect([name, ...(await give(theirs, name))]).toEqual([
        name,
        404,
        'PERSON_NOT_FOUND',
        undefined,
      ])
    expect(
      (await who('reviewer of a provider').call('POST', `${pathOf(theirs as WorkItem)}/claim`))
        .status,
    ).toBe(403)
    for (const name of ['translator of all languages', 'provider manager', 'admin']) {
      expect(await give(french, name)).toEqual([200, undefined, undefined])
      expect(
        (await who('admin').call('POST', `${pathOf(french as WorkItem)}/release`)).status,
      ).toBe(200)
    }
  })

  it('tells who can be given work of a provider, with what each has to do', async () => {
    for (const [job, name] of [
      ['Later', 'translator'],
      ['Other', 'translator of all languages'],
    ] as const) {
      const task = pathOf((await itemOf(name, 'OPEN', job)) as WorkItem)
      expect(
        (await who('admin').call('POST', `${task}/claim`, { body: { personId: idOf(name) } }))
          .status,
      ).toBe(200)
    }
    const shown = async (name: string, providerId: string) => {
      const { status, body } = await who(name).call<WorkPeople>('GET', '/work/people', {
        query: { providerId },
      })
      expect([status, body]).toEqual([200, expect.anything()])
      const known = [...people].map(
        ([label, { session }]) => [session.person.personId, label] as const,
      )
      return body.people.flatMap(({ personId, languages, tasks, words }) => {
        const label = new Map(known).get(personId)
        return label ? [{ label, tasks, words, ...(languages && { languages }) }] : []
      })
    }
    const expected = [
      { label: 'translator', languages: ['de-DE'], tasks: 1, words: 11 },
      { label: 'translator of all languages', tasks: 1, words: 0 },
      { label: 'provider manager', tasks: 0, words: 0 },
      { label: 'admin', tasks: 0, words: 0 },
    ]
    const byLabel = <T extends { label: string }>(some: readonly T[]) =>
      some.toSorted((one, other) => one.label.localeCompare(other.label))
    expect(byLabel(await shown('admin', manual))).toEqual(byLabel(expected))
    // A manager of one provider does not learn what people do for another.
    expect(byLabel(await shown('provider manager', manual))).toEqual(
      byLabel(
        expected.map((one) =>
          one.label === 'translator of all languages' ? { ...one, tasks: 0 } : one,
        ),
      ),
    )
    const unknown = await who('provider manager').call('GET', '/work/people', {
      query: { providerId: agency },
    })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PROVIDER_NOT_FOUND'])
  })

  it('tells how well the memory knows each segment, page by page', async () => {
    const item = (await itemOf('translator', 'OPEN', 'Never')) as WorkItem
    const { segments } = await call<{ segments: { segmentId: string; source: string[] }[] }>(
      'demo-provider',
      'GET',
      `${pathOf(item)}/segments`,
    )
    await call('demo-admin', 'POST', '/settings/memory/units', {
      source: segments[0]?.source.join(''),
      target: 'Bekannt',
      sourceNativeLanguageCode: item.sourceNativeLanguageCode,
      targetNativeLanguageCode: item.targetNativeLanguageCode,
    })
    const path = `/work/${item.providerId}/${item.jobId}/${item.requestId}/matches`
    type Found = { matches: SegmentMatch[]; pagination: { navNext?: string } }
    const found: SegmentMatch[] = []
    let navNext: string | undefined
    do {
      const query = { pageSize: '1', ...(navNext && { navNext }) }
      const { body } = await who('translator').call<Found>('GET', path, { query })
      expect(body.matches).toHaveLength(1)
      found.push(...body.matches)
      navNext = body.pagination.navNext
    } while (navNext)
    expect(found).toEqual(
      segments.map(({ segmentId }, at) => ({
        segmentId,
        position: at + 1,
        percent: at === 0 ? 100 : 0,
      })),
    )
    for (const name of ['viewer', 'reviewer'])
      expect((await who(name).call('GET', path)).status).toBe(403)
  })

  describe('the preview', () => {
    const policy =
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    const preview = async (person: Person, item: WorkItem, query = '') => {
      const { providerId, jobId, requestId } = item
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const url = `${hub.url}/console/work/${providerId}/${jobId}/${requestId}/preview${query}`
      const answer = await fetch(url, { headers: { cookie } })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }

    it('shows the work as it would be delivered, with the place of a segment, under a policy of its own', async () => {
      const item = (await itemOf('translator', 'OPEN', 'Never')) as WorkItem
      const task = pathOf(item)
      const { segments } = await call<{ segments: { segmentId: string }[] }>(
        'demo-provider',
        'GET',
        `${task}/segments`,
      )
      const [first, second] = segments
      const body = { target: ['Jetzt <b>zahlen</b>'], state: 'DRAFT', version: 0 }
      expect(
        (await who('translator').call('PUT', `${task}/segments/${first?.segmentId}`, { body }))
          .status,
      ).toBe(200)
      const shown = await preview(who('translator'), item, `?segment=${first?.segmentId}`)
      expect(shown.status).toBe(200)
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-security-policy': policy,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      expect(shown.text).toMatch(/<mark id="segment"[^>]*>Jetzt &lt;b&gt;zahlen&lt;\/b&gt;<\/mark>/)
      expect(shown.text).toContain('Free returns within 30 days')
      // A segment without a target is marked in its source; without a segment, or with an unknown
      // one, nothing is.
      const other = await preview(who('translator'), item, `?segment=${second?.segmentId}`)
      expect(other.text).toMatch(/<mark id="segment"[^>]*>Free returns within 30 days<\/mark>/)
      expect((await preview(who('translator'), item, '?segment=none')).text).not.toContain('<mark')
      // A reviewer sees what was delivered, and nothing was.
      const reviewed = await preview(who('reviewer'), item)
      expect([reviewed.status, reviewed.text.includes('zahlen')]).toEqual([200, false])
    })

    it.each([
      { name: 'viewer', status: 403 },
      { name: 'translator without providers', status: 404 },
      { name: 'reviewer of a provider', status: 404 },
      { name: 'manager', status: 200 },
    ])('answers a $name with $status', async ({ name, status }) => {
      const item = (await itemOf('admin', 'OPEN', 'Never')) as WorkItem
      expect((await preview(who(name), item)).status).toBe(status)
    })

    it('says in its page what is wrong, under the same policy', async () => {
      const item = (await itemOf('admin', 'OPEN', 'Never')) as WorkItem
      for (const requestId of ['nothing', '%00', '<script>']) {
        const { status, headers, text } = await preview(who('admin'), {
          ...item,
          requestId: encodeURI(requestId),
        })
        expect([status, headers.get('content-security-policy')]).toEqual([404, policy])
        expect(text).not.toContain('<script>')
      }
    })
  })

  it('finds the terms of a source text at their places, with what to use', async () => {
    const { termId } = await call<{ termId: string }>('demo-admin', 'POST', '/settings/terms', {
      definition: 'Asks for payment',
      entries: [
        { language: 'en', text: 'open invoice' },
        { language: 'de', text: 'Faktura', status: 'FORBIDDEN' },
        { language: 'de', text: 'offene Rechnung', note: 'Formal' },
      ],
    })
    const pair = { sourceNativeLanguageCode: 'en-US', targetNativeLanguageCode: 'de-DE' }
    const found = (text: unknown) =>
      call<FoundTerms>('demo-provider', 'POST', `/providers/${manual}/terms/find`, {
        ...pair,
        text,
      })
    const entries = [
      { text: 'offene Rechnung', status: 'PREFERRED', note: 'Formal' },
      { text: 'Faktura', status: 'FORBIDDEN' },
    ]
    const term = { termId, definition: 'Asks for payment', entries }
    expect(await found('Pay all open invoices now.')).toEqual({
      terms: [{ ...term, part: 0, from: 8, to: 21 }],
    })
    const parts = ['An ', { tag: 1 }, 'open', { tag: 2 }, 'invoice. Open invoice']
    expect(await found(parts)).toEqual({
      terms: [
        { ...term, part: 2, from: 0, to: 4 },
        { ...term, part: 4, from: 0, to: 7 },
        { ...term, part: 4, from: 9, to: 21 },
      ],
    })
    expect(await found([{ tag: 1 }])).toEqual({ terms: [] })
    const asked = (person: string, providerId: string, language: string) =>
      who(person).call('POST', `/providers/${providerId}/terms/find`, {
        body: { ...pair, targetNativeLanguageCode: language, text: 'open invoice' },
      })
    expect((await asked('translator', manual, 'de-DE')).body.terms).toHaveLength(1)
    expect((await asked('translator', manual, 'fr-FR')).status).toBe(403)
    expect((await asked('translator', agency, 'de-DE')).status).toBe(404)
    expect((await asked('viewer', manual, 'de-DE')).status).toBe(403)
    expect((await asked('admin', manual, 'xx-YY')).body.code).toBe('INVALID_LANGUAGE')
  })
})
