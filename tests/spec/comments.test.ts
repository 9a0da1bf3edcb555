/** Contract, section 15: comments and questions, and who reads them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { enter } from '../visitor.ts'
import { type JsonObject, openTeam } from './team-stage.ts'

type Comment = JsonObject & { readonly commentId: string; readonly state: string }
type Comments = { readonly comments: readonly Comment[]; readonly next?: string }
const fields = { title: 'Welcome', body: 'Pay now' }

describe.each(databases)('comments on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  let team: Awaited<ReturnType<typeof openTeam>>
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    team = await openTeam(hub)
  })
  afterAll(async () => {
    await receiver.close()
    await hub.close()
  })
  const list = async (who: string, at: string, query = ''): Promise<readonly Comment[]> => {
    const { status, body } = await team.call<Comments>(who, 'GET', `${at}/comments${query}`)
    expect(status).toBe(200)
    return body.comments
  }
  const ask = async (who: string, at: string, body: JsonObject): Promise<Comment> => {
    const answer = await team.call<Comment>(who, 'POST', `${at}/comments`, body)
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ state: 'OPEN' })])
    return answer.body
  }
  const answer = (who: string, at: string, id: string, text = 'The button.') =>
    team.call<Comment>(who, 'PATCH', `${at}/comments/${id}`, { answer: { text } })

  it('what a team says among itself is never shown to the connector, the rest to both', async () => {
    const { jobId, ids, provided } = await team.sent({ fields })
    const job = `/jobs/${jobId}`
    const about = { requestId: ids[0] }
    const secret = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'TEAM', text: 'Who knows this customer?', ...about },
    })
    const open = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'CONNECTOR', text: 'Button or page?', ...about },
    })
    const theirs = await ask('demo-connector', job, {
      ...{ kind: 'NOTE', to: 'TEAM', text: 'The campaign starts on Monday.' },
    })
    expect(open).toMatchObject({
      ...{ kind: 'QUESTION', to: 'CONNECTOR', text: 'Button or page?', by: 'demo-provider' },
      ...{ requestId: ids[0], state: 'OPEN' },
    })
    const idsOf = (comments: readonly Comment[]) => comments.map(({ commentId }) => commentId)
    expect(idsOf(await list('demo-provider', provided))).toEqual([
      ...[secret.commentId, open.commentId, theirs.commentId],
    ])
    expect(idsOf(await list('demo-connector', job))).toEqual([open.commentId, theirs.commentId])
    expect(
      JSON.stringify((await team.call('demo-connector', 'GET', `${job}/comments`)).body),
    ).not.toContain('customer')
    // Not by its id either.
    expect(await list('demo-connector', job, `?commentId=${secret.commentId}`)).toEqual([])
    expect((await answer('demo-connector', job, secret.commentId)).status).toBe(404)
    // Each side answers what it is asked.
    expect((await answer('demo-provider', provided, open.commentId)).status).toBe(403)
    expect((await answer('demo-provider', provided, secret.commentId)).status).toBe(200)
    expect((await list('demo-connector', job)).length).toBe(2)
    const filtered = await list('demo-provider', provided, '?state=OPEN&kind=QUESTION')
    expect(idsOf(filtered)).toEqual([open.commentId])
  })

  it('an answer stands at every segment of the job with the same source, in every language', async () => {
    const languages = ['de-de', 'fr-fr', 'es-es']
    const { jobId, ids, provided } = await team.sent({ fields }, { languages })
    const at = (id: string | undefined) => `${provided}/assetTasks/${id}`
    const [first, second] = await team.segmentsAt('demo-provider', at(ids[0]))
    const { commentId } = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'CONNECTOR', text: 'Whom?' },
      ...{ requestId: ids[0], segmentId: first?.segmentId },
    })
    const marked = async () =>
      Promise.all(
        ids.map(async (id) =>
          (await team.segmentsAt('demo-provider', at(id))).map(({ comments }) => comments),
        ),
      )
    expect(await marked()).toEqual([
      ...[[[commentId], undefined]],
      ...[[undefined, undefined]],
      ...[[undefined, undefined]],
    ])
    const answered = await answer('demo-connector', `/jobs/${jobId}`, commentId, 'Everybody.')
    expect(answered.body).toMatchObject({
      state: 'ANSWERED',
      answer: { text: 'Everybody.', by: 'demo-connector', time: expect.any(String) },
    })
    expect(await marked()).toEqual(ids.map(() => [[commentId], undefined]))
    const reviewed = await team.segmentsAt('demo-connector', `/jobs/${jobId}/requests/${ids[2]}`)
    expect(reviewed.map(({ comments }) => comments)).toEqual([[commentId], undefined])
    expect(second?.comments).toBeUndefined()
    // A translator of another language reads the answer, and no open question of others.
    const other = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'TEAM', text: 'Only German', requestId: ids[0] },
    })
    const person = await enter(hub, ['viewer'], 'demo')
    const sites = [{ roles: ['translator'], providers: [team.manual], languages: ['fr-FR'] }]
    const { personId } = person.session.person
    expect((await team.call('demo-admin', 'PATCH', `/people/${personId}`, { sites })).status).toBe(
      200,
    )
    const theirs = await person.call<Comments>('GET', `${provided}/comments`)
    expect(theirs.body.comments.map((one) => one.commentId)).toEqual([commentId])
    const foreign = { kind: 'NOTE', to: 'TEAM', text: 'x', requestId: ids[0] }
    const refused = await person.call('POST', `${provided}/comments`, { body: foreign })
    expect([refused.status, refused.body]).toEqual([
      404,
      expect.objectContaining({ code: 'REQUEST_NOT_FOUND' }),
    ])
    expect(other.state).toBe('OPEN')
  })

  it('refuses what cannot be asked or answered, with a sentence', async () => {
    const { jobId, ids, provided } = await team.sent({ fields })
    const job = `/jobs/${jobId}`
    const other = await team.sent({ fields })
    const [segment] = await team.segmentsAt('demo-provider', `${provided}/assetTasks/${ids[0]}`)
    const question = { kind: 'QUESTION', to: 'CONNECTOR', text: 'What?' }
    const { commentId } = await ask('demo-provider', provided, question)
    const note = await ask('demo-connector', job, { ...question, kind: 'NOTE' })
    expect((await answer('demo-connector', job, commentId)).status).toBe(200)
    const refusals: [string, JsonObject | undefined, number, string][] = [
      ['long', { ...question, text: 'x'.repeat(100_000) }, 400, 'INVALID_REQUEST'],
      ['blank', { ...question, text: '  ' }, 400, 'INVALID_REQUEST'],
      ['kind', { ...question, kind: 'SHOUT' }, 400, 'INVALID_REQUEST'],
      ['no request', { ...question, segmentId: segment?.segmentId }, 400, 'INVALID_REQUEST'],
      ['other job', { ...question, requestId: other.ids[0] }, 404, 'REQUEST_NOT_FOUND'],
      ['segment', { ...question, requestId: ids[0], segmentId: 'none' }, 404, 'SEGMENT_NOT_FOUND'],
    ]
    for (const [name, body, status, code] of refusals) {
      const got = await team.call<JsonObject>('demo-provider', 'POST', `${provided}/comments`, body)
      expect([name, got.status, got.body.code]).toEqual([name, status, code])
      expect(String(got.body.message).length).toBeGreaterThan(20)
    }
    const again = await answer('demo-connector', job, commentId, 'Another answer')
    expect([again.status, again.body.code]).toEqual([409, 'COMMENT_ANSWERED'])
    const [first] = await list('demo-connector', job, `?commentId=${commentId}`)
    expect(first?.answer).toMatchObject({ text: 'The button.' })
    const noted = await answer('demo-connector', job, note.commentId)
    expect([noted.status, noted.body.code]).toEqual([409, 'NOT_A_QUESTION'])
    const elsewhere = await answer('demo-connector', `/jobs/${other.jobId}`, commentId)
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'COMMENT_NOT_FOUND'])
    // A question of another site.
    const { token } = await stranger()
    const far = await hub.call<JsonObject>('PATCH', `/v2${job}/comments/${commentId}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: { answer: { text: 'x' } },
    })
    expect([far.status, far.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
  })

  const stranger = async () => {
    const { enrolClient } = await import('../../packages/server/src/domain/sites/enrol-client.ts')
    const clientId = `stranger-${hub.inner.clock.now()}`
    const { secret } = await enrolClient(hub.inner, {
      ...{ siteId: `far-${hub.inner.clock.now()}`, clientId, scopes: ['admin'] },
    })
    return { token: await hub.token(clientId, secret) }
  }

  it('listeners that ask for it hear of questions and answers; a team keeps its own', async () => {
    const { jobId, provided } = await team.sent({ fields })
    const ours = await team.call<JsonObject>('demo-connector', 'POST', '/statusupdates/listeners', {
      ...{ uri: `${receiver.url}/ours`, type: 'REQUEST_STATUS_UPDATED', onComment: true, jobId },
    })
    expect([ours.status, ours.body.onComment]).toEqual([201, true])
    const theirs = await team.call<JsonObject>('demo-provider', 'POST', '/listeners', {
      ...{ jobUri: `${receiver.url}/theirs`, providerId: team.manual, onComment: true },
    })
    expect([theirs.status, theirs.body.onComment]).toEqual([201, true])
    const before = (await team.updatesOf(jobId)).length
    const secret = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'TEAM', text: 'Among us' },
    })
    const open = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'CONNECTOR', text: 'To you' },
    })
    await answer('demo-connector', `/jobs/${jobId}`, open.commentId)
    await answer('demo-provider', provided, secret.commentId)
    const heard = (path: string) =>
      receiver.calls.flatMap((one) => {
        const said = one.body
        return one.path.endsWith(path) && String(said.eventType).startsWith('COMMENT')
          ? [[said.eventType, said.commentId, said.jobId]]
          : []
      })
    await until('all was said', () => heard('theirs').length === 4 && heard('ours').length === 2)
    expect(heard('ours')).toEqual([
      ['COMMENT_CREATED', open.commentId, jobId],
      ['COMMENT_ANSWERED', open.commentId, jobId],
    ])
    expect(JSON.stringify(receiver.calls.map(({ text }) => text))).not.toContain('Among us')
    expect((await team.updatesOf(jobId)).length).toBe(before)
  })

  it('a question that is open for a day is a finding until somebody answers', async () => {
    const { jobId, provided } = await team.sent({ fields })
    const { commentId } = await ask('demo-provider', provided, {
      ...{ kind: 'QUESTION', to: 'CONNECTOR', text: 'Still there?' },
    })
    const found = async () => {
      const { body } = await team.call<{ findings: { rule: string; sentence: string }[] }>(
        'demo-admin',
        'GET',
        '/findings?rule=question-open',
      )
      return body.findings.filter(({ sentence }) => sentence.includes(commentId))
    }
    expect(await found()).toEqual([])
    await hub.advance('25h')
    expect((await found()).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining(`job ${jobId}`),
    ])
    expect((await answer('demo-connector', `/jobs/${jobId}`, commentId)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  it('ten thousand comments are paged, one more is refused, and all go with the job', async () => {
    const { jobId } = await team.sent({ fields }, { submit: false })
    await ask('demo-connector', `/jobs/${jobId}`, { kind: 'NOTE', to: 'TEAM', text: 'first' })
    const row = await hub.inner.db.read
      .selectFrom('comments')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
    for (let from = 2; from <= 10_000; from += 500)
      await hub.inner.db.transact((tx) =>
        tx
          .insertInto('comments')
          .values(
            Array.from({ length: Math.min(500, 10_001 - from) }, (_, at) => ({
              ...{ ...row, comment_id: `c${from + at}`, position: from + at, bytes: 0 },
            })),
          )
          .execute(),
      )
    let [many, next] = [0, '']
    do {
      const { body } = await team.call<Comments>(
        'demo-connector',
        'GET',
        `/jobs/${jobId}/comments?pageSize=50${next && `&navNext=${encodeURIComponent(next)}`}`,
      )
      many += body.comments.length
      next = body.next ?? ''
    } while (next !== '')
    expect(many).toBe(10_000)
    const full = await team.call<JsonObject>('demo-connector', 'POST', `/jobs/${jobId}/comments`, {
      ...{ kind: 'NOTE', to: 'TEAM', text: 'one more' },
    })
    expect([full.status, full.body.code, full.body.quota]).toEqual([
      ...[409, 'QUOTA_EXCEEDED', { name: 'MaxCommentsPerJob', limit: 10_000, used: 10_000 }],
    ])
    expect((await team.call('demo-connector', 'DELETE', `/jobs/${jobId}`)).status).toBe(200)
    const left = await hub.inner.db.read
      .selectFrom('comments')
      .select('comment_id')
      .where('job_id', '=', jobId)
      .execute()
    expect(left).toEqual([])
    expect((await checkHub(hub.inner)).findings).toEqual([])
  })
})
