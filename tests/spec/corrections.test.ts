/** Contract, section 15: corrections in review, and what happens when something else comes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { enter } from '../visitor.ts'
import { type JsonObject, openTeam, type Sent, type Shown } from './team-stage.ts'

const html = '<!doctype html>\n<p>Welcome.</p>\n<p>Pay now.</p>\n'
const delivered = ['Willkommen.', 'Jetzt zahlen.']

describe.each(databases)('corrections in review on %s', (database) => {
  let hub: TestHub
  let team: Awaited<ReturnType<typeof openTeam>>
  let reviewer: Awaited<ReturnType<typeof enter>>
  beforeAll(async () => {
    hub = await startHub({ database })
    team = await openTeam(hub)
  })
  afterAll(() => hub.close())

  const inReview = async (): Promise<Sent> => {
    reviewer = await enter(hub, ['reviewer'], 'demo')
    const sent = await team.sent({ file: html })
    await team.deliver(sent.task, delivered)
    return sent
  }
  const correct = (own: string, segment: Shown | undefined, text: string, version?: number) =>
    reviewer.call<Shown & JsonObject>('PUT', `${own}/segments/${segment?.segmentId}`, {
      body: { target: [text], version: version ?? segment?.version },
    })
  const deliverThem = (own: string) =>
    reviewer.call<JsonObject>('POST', `${own}/segments/deliver`, { body: {} })
  const retrieved = async (own: string) => {
    const { headers } = await team.call('demo-connector', 'GET', `${own}/retrievefile`)
    return (await fetch(String(headers.get('location')))).text()
  }

  it('are delivered as one more delivery, with one update; the provider sees them, the memory learns', async () => {
    const { jobId, own, task } = await inReview()
    const before = (await team.updatesOf(jobId)).length
    const [first, second] = await team.segmentsAt('demo-connector', own)
    const written = await correct(own, second, 'Jetzt bezahlen.')
    expect([written.status, written.body]).toEqual([
      200,
      expect.objectContaining({
        ...{ target: ['Jetzt zahlen.'], correction: ['Jetzt bezahlen.'], version: second?.version },
      }),
    ])
    // Nobody has it yet.
    expect((await team.segmentsAt('demo-connector', own)).map(({ target }) => target)).toEqual([
      ...[['Willkommen.'], ['Jetzt zahlen.']],
    ])
    expect(await retrieved(own)).toContain('Jetzt zahlen.')
    expect((await team.updatesOf(jobId)).length).toBe(before)
    const done = await deliverThem(own)
    expect([done.status, done.body.statusCode]).toEqual([200, 'REVIEW_TRANSLATION'])
    expect(await retrieved(own)).toBe(
      '<!doctype html>\n<p>Willkommen.</p>\n<p>Jetzt bezahlen.</p>\n',
    )
    expect((await team.updatesOf(jobId)).map(({ statusCode }) => statusCode)).toEqual([
      ...Array.from({ length: before + 1 }, () => 'REVIEW_TRANSLATION'),
    ])
    const desk = await team.segmentsAt('demo-provider', task)
    expect(desk.map(({ target, state }) => [target, state])).toEqual([
      [['Willkommen.'], 'TRANSLATED'],
      [['Jetzt bezahlen.'], 'TRANSLATED'],
    ])
    expect(desk.map(({ corrected }) => corrected)).toEqual([
      undefined,
      { target: ['Jetzt bezahlen.'], by: reviewer.session.person.name },
    ])
    const [, after] = await team.segmentsAt('demo-connector', own)
    expect(after?.version).toBeGreaterThan(second?.version ?? 0)
    expect(after?.previous?.target).toEqual(['Jetzt zahlen.'])
    expect(first?.version).toBe(second?.version)
    const units = await team.call<{ units: { source: string; target: string }[] }>(
      'demo-admin',
      'GET',
      '/settings/memory/units?text=Pay%20now',
    )
    expect(units.body.units.map(({ target }) => target)).toContain('Jetzt bezahlen.')
    expect(JSON.stringify(units.body)).not.toContain('Jetzt zahlen.')
    // Sent again with nothing new: no update.
    expect((await deliverThem(own)).status).toBe(200)
    expect((await team.updatesOf(jobId)).length).toBe(before + 1)
    // The next delivery of the provider begins without corrections.
    await team.deliver(task, ['Hallo.', 'Jetzt bezahlen.'])
    const now = await team.segmentsAt('demo-provider', task)
    expect(now.map(({ corrected }) => corrected)).toEqual([undefined, undefined])
  })

  it('an editor with the old text open meets 409, and what it had written is put aside', async () => {
    const { own, task } = await inReview()
    const [open] = await team.segmentsAt('demo-provider', task)
    const draft = { target: ['Noch nicht fertig'], state: 'DRAFT', version: open?.version }
    const written = await team.call<Shown>(
      'demo-provider',
      'PUT',
      `${task}/segments/${open?.segmentId}`,
      draft,
    )
    expect(written.status).toBe(200)
    const [, second] = await team.segmentsAt('demo-connector', own)
    expect((await correct(own, second, 'Bezahlen.')).status).toBe(200)
    expect((await deliverThem(own)).status).toBe(200)
    expect(await retrieved(own)).toContain('Willkommen.')
    const late = await team.call<JsonObject>(
      'demo-provider',
      'PUT',
      `${task}/segments/${open?.segmentId}`,
      { ...draft, version: written.body.version },
    )
    expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT'])
    const [now] = await team.segmentsAt('demo-provider', task)
    expect(now?.target).toEqual(['Willkommen.'])
    expect(now?.replaced).toMatchObject({ target: ['Noch nicht fertig'] })
  })

  it('a delivery that comes meanwhile is never overwritten', async () => {
    const { jobId, own, task } = await inReview()
    const [, second] = await team.segmentsAt('demo-connector', own)
    expect((await correct(own, second, 'Bezahlen.')).status).toBe(200)
    await team.deliver(task, ['Hallo.', 'Zahlen Sie jetzt.'])
    const count = (await team.updatesOf(jobId)).length
    const stale = await deliverThem(own)
    expect([stale.status, stale.body.code]).toEqual([409, 'VERSION_CONFLICT'])
    expect((await team.updatesOf(jobId)).length).toBe(count)
    expect(await retrieved(own)).toContain('Zahlen Sie jetzt.')
    const [, now] = await team.segmentsAt('demo-connector', own)
    expect(now?.correction).toBeUndefined()
    const again = await correct(own, now, 'Bezahlen.', second?.version)
    expect([again.status, again.body.code]).toEqual([409, 'VERSION_CONFLICT'])
    expect((again.body.current as Shown | undefined)?.target).toEqual(['Zahlen Sie jetzt.'])
    expect((await correct(own, now, 'Bezahlen Sie.')).status).toBe(200)
    expect((await deliverThem(own)).status).toBe(200)
    expect(await retrieved(own)).toContain('Bezahlen Sie.')
  })

  it('refuses a request that is not in review, a tag that is not there, and blocking findings', async () => {
    const { jobId, ids, own, task } = await inReview()
    const [first] = await team.segmentsAt('demo-connector', own)
    const tagged = await reviewer.call<JsonObject>('PUT', `${own}/segments/${first?.segmentId}`, {
      body: { target: [{ tag: 4 }], version: first?.version },
    })
    expect([tagged.status, tagged.body.code]).toEqual([400, 'INVALID_REQUEST'])
    const without = await reviewer.call<JsonObject>('PUT', `${own}/segments/${first?.segmentId}`, {
      body: { target: ['x'] },
    })
    expect(without.status).toBe(400)
    expect((await correct(own, first, '   ')).status).toBe(200)
    const blocked = await deliverThem(own)
    expect([blocked.status, blocked.body.code]).toEqual([422, 'CHECKS_FAILED'])
    // The delivered text again takes the correction back.
    expect((await correct(own, first, 'Willkommen.')).body.correction).toBeUndefined()
    expect((await deliverThem(own)).status).toBe(200)
    expect((await correct(own, first, 'Herzlich willkommen.')).status).toBe(200)
    const approved = { requestIds: ids }
    expect(
      (await team.call('demo-connector', 'PUT', `/jobs/${jobId}/requests/approve`, approved))
        .status,
    ).toBe(200)
    for (const refused of [await correct(own, first, 'Hallo.'), await deliverThem(own)])
      expect([refused.status, refused.body.code]).toEqual([409, 'REQUEST_NOT_IN_REVIEW'])
    expect(await retrieved(own)).toContain('<p>Willkommen.</p>')
    const translator = await enter(hub, ['viewer'], 'demo')
    const { personId } = translator.session.person
    const sites = [{ roles: ['translator'], providers: [team.manual] }]
    await team.call('demo-admin', 'PATCH', `/people/${personId}`, { sites })
    const no = await translator.call('PUT', `${own}/segments/${first?.segmentId}`, {
      body: { target: ['x'], version: 1 },
    })
    expect(no.status).toBe(403)
    expect((await team.segmentsAt('demo-provider', task)).length).toBe(2)
  })

  it('keeps what sentence is whose where a paragraph cannot tell, and counts its bytes', async () => {
    reviewer = await enter(hub, ['reviewer'], 'demo')
    const file = '<!doctype html>\n<p>First one. Second one. Third one.</p>\n'
    const { own, task, jobId } = await team.sent({ file }, { segmentation: 'SENTENCES' })
    await team.deliver(task, ['Eins.', 'Zwei.', 'Drei.'])
    const [, second] = await team.segmentsAt('demo-connector', own)
    expect((await correct(own, second, 'Zwei. Und mehr.')).status).toBe(200)
    expect((await deliverThem(own)).status).toBe(200)
    expect(await retrieved(own)).toContain('<p>Eins. Zwei. Und mehr. Drei.</p>')
    const texts = [['Eins.'], ['Zwei. Und mehr.'], ['Drei.']]
    for (const [who, path] of [['demo-connector', own] as const, ['demo-provider', task] as const])
      expect((await team.segmentsAt(who, path)).map(({ target }) => target)).toEqual(texts)
    const [, again] = await team.segmentsAt('demo-connector', own)
    expect((await correct(own, again, 'Wartet noch.')).status).toBe(200)
    expect((await checkHub(hub.inner)).findings).toEqual([])
    expect((await team.call('demo-admin', 'PUT', `/jobs/${jobId}/cancel`)).status).toBe(200)
    expect((await team.call('demo-admin', 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
    expect((await checkHub(hub.inner)).findings).toEqual([])
  })
})
