/**
 * Contract, sections 6, 8 and 11: what a provider brings back, how long it stays, and what a PATCH
 * of the provider keeps.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { metadataBytes } from '../../packages/server/src/store/migrations/0034-metadata-bytes.ts'
import { sqliteTypes } from '../../packages/server/src/store/migrations/migration.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { unpack } from '../packages-kit.ts'
import { priceList } from '../price-list.ts'

type JsonObject = Record<string, unknown>
const as = 'demo-connector'
const provider = 'demo-provider'

describe.each(databases)('translations on %s', (database) => {
  let hub: TestHub
  const providers: Record<string, string> = {}
  beforeAll(async () => {
    hub = await startHub({ database })
    const { body } = await hub.call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/v2/providers',
      { as },
    )
    for (const { id, name } of body.providers) providers[name] = id
  })
  afterAll(() => hub.close())

  const call = <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const send = async (url: unknown, text: string) => {
    const form = new FormData()
    form.append('file', new Blob([text]), 'x')
    return (await fetch(String(url), { method: 'POST', body: form })).status
  }
  /** A job that its provider has: so many requests of one file each, or of keys and values. */
  const sent = async (count: number, of: 'files' | 'fields', to = 'Manual') => {
    const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'Back' })).body
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) {
      const { body } = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=${at}.txt`)
      if (of === 'files') expect(await send(body.fmsPostMultipartUrl, `Text ${at}`)).toBe(201)
      const added = await call<{ requests: { requestId: string }[] }>(
        as,
        'POST',
        `/jobs/${jobId}/requests/add`,
        {
          requestName: `r${at}`,
          sourceNativeId: String(at),
          sourceNativeLanguageCode: 'en-us',
          targetNativeLanguageCodes: ['de-de'],
          ...(of === 'files'
            ? { fmsFileId: body.fmsFileId }
            : { fields: [{ key: 'title', value: 'Hello' }] }),
        },
      )
      ids.push(...added.body.requests.map(({ requestId }) => requestId))
    }
    expect(
      (await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: providers[to] })).status,
    ).toBe(200)
    await hub.advance('1s')
    const base = `/providers/${providers[to]}/jobs/${jobId}`
    return { jobId: String(jobId), ids, id: ids[0] ?? '', base, tasks: `${base}/assetTasks` }
  }
  const used = async (): Promise<number> => {
    const { body } = await call<{ quotas: { name: string; used?: number }[] }>(as, 'GET', '/quota')
    return body.quotas.find(({ name }) => name === 'MaxBytesPerSite')?.used ?? -1
  }
  const submitted = (tasks: string, id: string) =>
    call(provider, 'PATCH', `${tasks}/${id}`, { statusCode: 'TRANSLATION_SUBMITTED' })
  const deliver = async (tasks: string, id: string, text: string): Promise<string> => {
    const { status, body } = await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(await send(body.fmsPostMultipartUrl, text)).toBe(201)
    expect((await submitted(tasks, id)).status).toBe(200)
    return String(body.fmsFileId)
  }
  const setQuotas = async (quotas: JsonObject | null) => {
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: quotas && JSON.stringify(quotas) })
        .where('client_id', 'in', [as, provider])
        .execute(),
    )
    await hub.advance('2m')
  }
  const blobs = async (): Promise<number> => {
    let count = 0
    for await (const _ of hub.inner.blobs.list()) count += 1
    return count
  }
  const clean = async () => {
    await hub.advance('1s')
    expect((await checkHub(hub.inner)).findings).toEqual([])
  }

  describe('as one archive', () => {
    const zipOf = async (jobId: string, query = '') => {
      const headers = { authorization: `Bearer ${await hub.token(as)}` }
      const answer = await fetch(`${hub.url}/v2/jobs/${jobId}/translations${query}`, { headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
      const entries = unpack(new Uint8Array(await answer.arrayBuffer()))
      return Object.fromEntries([...entries].map(([name, bytes]) => [name, String(bytes)]))
    }

    it('have what is ready, by language, under names that are free', async () => {
      const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'A/B' })).body
      for (const requestName of ['page', 'page', 'keys']) {
        const { body } = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=page.txt`)
        const isFile = requestName === 'page'
        if (isFile) expect(await send(body.fmsPostMultipartUrl, 'Text')).toBe(201)
        const added = await call(as, 'POST', `/jobs/${jobId}/requests/add`, {
          requestName,
          sourceNativeId: requestName,
          sourceNativeLanguageCode: 'en-us',
          targetNativeLanguageCodes: ['de-de', 'fr-fr'],
          ...(isFile
            ? { fmsFileId: body.fmsFileId }
            : { fields: [{ key: 'title', value: 'Hello' }] }),
        })
        expect(added.status).toBe(201)
      }
      const to = providers.Manual
      await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: to })
      await hub.advance('1s')
      expect(await zipOf(String(jobId))).toEqual({})
      const tasks = `/providers/${to}/jobs/${jobId}/assetTasks`
      type Task = { assetTaskId: string; targetNativeLanguageCode: string; isContent?: boolean }
      const { body } = await call<{ assetTasks: Task[] }>(provider, 'GET', `${tasks}?pageSize=50`)
      const german = body.assetTasks.filter((task) => /^de/.test(task.targetNativeLanguageCode))
      for (const [at, { assetTaskId: id }] of german.slice(0, 2).entries())
        await deliver(tasks, id, `Seite ${at}`)
      const [french] = body.assetTasks.filter((task) => /^fr/.test(task.targetNativeLanguageCode))
      await deliver(tasks, String(french?.assetTaskId), 'Page 0')
      const fields = String(german[2]?.assetTaskId)
      const content = { fields: [{ key: 'title', value: 'Hallo' }] }
      await call(provider, 'PUT', `${tasks}/${fields}/translatedContent`, content)
      await submitted(tasks, fields)
      const all = await zipOf(String(jobId))
      expect(Object.keys(all).sort()).toEqual([
        'de-de/keys.xml',
        'de-de/page (2).txt',
        'de-de/page.txt',
        'fr-fr/page.txt',
      ])
      expect(all['de-de/keys.xml']).toContain('<field key="title">Hallo</field>')
      expect([all['de-de/page.txt'], all['fr-fr/page.txt']]).toEqual(['Seite 0', 'Page 0'])
      expect(Object.keys(await zipOf(String(jobId), '?language=fr-FR'))).toEqual(['fr-fr/page.txt'])
      expect(await zipOf(String(jobId), '?approved=true')).toEqual({})
      const requestIds = [german[1]?.assetTaskId]
      await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds })
      expect(await zipOf(String(jobId), '?approved=true&language=de-DE')).toEqual({
        'de-de/page (2).txt': 'Seite 1',
      })
      expect(await zipOf(String(jobId), '?approved=true&language=fr-fr')).toEqual({})
      const wrong = await call(as, 'GET', `/jobs/${jobId}/translations?language=klingon`)
      expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_LANGUAGE' } })
      const missing = await call(as, 'GET', '/jobs/AAAAAAAAAA/translations')
      expect(missing).toMatchObject({ status: 404, body: { code: 'JOB_NOT_FOUND' } })
    })
  })

  describe('that come back', () => {
    it('do not count against MaxFilesPerJob: all files of a full job, and one request more often than the quota', async () => {
      const { jobId, ids, id, tasks } = await sent(3, 'files')
      await setQuotas({ MaxFilesPerJob: 3 })
      for (const each of ids) await deliver(tasks, each, 'Fertig')
      for (let time = 0; time < 5; time += 1) await deliver(tasks, id, `Mal ${time}`)
      const full = await call(as, 'POST', `/jobs/${jobId}/sourcefiles?fileName=a.txt`)
      expect(full).toMatchObject({
        status: 409,
        body: { quota: { name: 'MaxFilesPerJob', limit: 3, used: 3 } },
      })
      await setQuotas(null)
      await clean()
    })

    it('are freed when another replaces them: row, bytes and their part of MaxBytesPerSite', async () => {
      const { jobId, id, tasks } = await sent(1, 'files')
      const [before, stored] = [await used(), await blobs()]
      const first = await deliver(tasks, id, 'x'.repeat(1_000))
      expect(await used()).toBe(before + 1_000)
      const link =
        (await call(as, 'GET', `/jobs/${jobId}/requests/${id}/retrievefile`)).headers.get(
          'location',
        ) ?? ''
      const second = await deliver(tasks, id, 'y'.repeat(10))
      expect(await used()).toBe(before + 10)
      expect((await call(as, 'GET', `/jobs/${jobId}/sourcefiles/${first}`)).body.code).toBe(
        'FILE_NOT_FOUND',
      )
      expect((await fetch(link)).status).toBe(404)
      expect((await call(as, 'GET', `/jobs/${jobId}/sourcefiles/${second}`)).status).toBe(307)
      await clean()
      expect(await blobs()).toBe(stored + 1)
    })

    it('are freed when they were sent and never delivered', async () => {
      const { id, tasks } = await sent(1, 'files')
      const [before, stored] = [await used(), await blobs()]
      for (const text of ['one', 'two', 'three']) {
        const { body } = await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
        expect(await send(body.fmsPostMultipartUrl, text)).toBe(201)
      }
      expect(await used()).toBe(before + 5)
      const open = await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
      await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
      expect(await send(open.body.fmsPostMultipartUrl, 'late')).toBe(404)
      expect(await used()).toBe(before)
      await clean()
      expect(await blobs()).toBe(stored)
    })

    it('are freed as keys and values, too, and as the file that brought those', async () => {
      const { id, tasks } = await sent(1, 'fields')
      const before = await used()
      const put = (value: string) =>
        call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
          fields: [{ key: 'title', value }],
        })
      for (const value of ['Hallo', 'Guten Tag', 'Servus']) {
        expect((await put('never delivered')).status).toBe(200)
        expect((await put(value)).status).toBe(200)
        expect((await submitted(tasks, id)).status).toBe(200)
      }
      expect(await used()).toBe(before + 'titleServus'.length)
      const stored = await blobs()
      await deliver(tasks, id, '<content><field key="title">Moin</field></content>')
      expect(await used()).toBe(before + 'titleMoin'.length)
      await clean()
      expect(await blobs()).toBe(stored)
    })

    it('are freed when the hub translates the whole job again', async () => {
      for (const of of ['files', 'fields'] as const) {
        const { jobId } = await sent(2, of, 'Pseudo')
        await hub.advance('1s')
        const [before, stored] = [await used(), await blobs()]
        const again = { jobId }
        expect(
          (await call(as, 'POST', `/providers/${providers.Pseudo}/invocations`, again)).status,
        ).toBe(202)
        await hub.advance('5s')
        expect([await used(), await blobs()], of).toEqual([before, stored])
        const moves = await hub.inner.db.read
          .selectFrom('moves')
          .selectAll()
          .where('job_id', '=', jobId)
          .execute()
        expect(moves.filter(({ move }) => move === 'deliver')).toHaveLength(2)
      }
      await clean()
    })
  })

  it('of files without an extension are made by the declared type or by the bytes; their file type is empty', async () => {
    const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'Nameless' })).body
    const begin = async (name: string) =>
      (
        await call<Record<string, string>>(
          as,
          'POST',
          `/jobs/${jobId}/sourcefiles?fileName=${name}`,
        )
      ).body
    const page = await begin('page')
    expect(
      await send(page.fmsPostMultipartUrl, '<!doctype html><title>Hi</title><p>Good morning</p>'),
    ).toBe(201)
    const readme = await begin('README')
    const text = 'Good morning'
    const metadata = `name ${btoa('README')},contentType ${btoa('text/plain')}`
    const created = await fetch(readme.fmsUploadUrl ?? '', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        sastoken: readme.fmsSASToken ?? '',
        'upload-length': String(text.length),
        'upload-metadata': metadata,
        'content-type': 'application/offset+octet-stream',
      },
      body: text,
    })
    expect(created.status).toBe(201)
    const [bare, data] = [await begin('README'), await begin('DATA')]
    expect(await send(bare.fmsPostMultipartUrl, 'Good morning')).toBe(201)
    expect(await send(data.fmsPostMultipartUrl, '{"a": "Good morning"}')).toBe(201)
    const ids: string[] = []
    const detected: unknown[] = []
    for (const { fmsFileId } of [page, readme, bare, data]) {
      const { body } = await call<{ requests: JsonObject[] }>(
        as,
        'POST',
        `/jobs/${jobId}/requests/add`,
        {
          requestName: 'r',
          sourceNativeId: '1',
          sourceNativeLanguageCode: 'en-us',
          targetNativeLanguageCodes: ['de-de'],
          fmsFileId,
        },
      )
      expect(body.requests[0]).toMatchObject({ fileType: '' })
      ids.push(String(body.requests[0]?.requestId))
      detected.push(body.requests[0]?.format)
    }
    expect(detected).toEqual(['html', 'text', 'text', 'json'])
    const providerId = providers.Pseudo
    await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId })
    await hub.advance('10s')
    const task = await call(
      provider,
      'GET',
      `/providers/${providerId}/jobs/${jobId}/assetTasks/${ids[1]}`,
    )
    expect(task.body).toMatchObject({
      filename: 'README',
      filetype: '',
      statusCode: 'TRANSLATION_SUBMITTED',
    })
    const back = await Promise.all(
      ids.map(async (id) => {
        const { headers } = await call(as, 'GET', `/jobs/${jobId}/requests/${id}/retrievefile`)
        const answer = await fetch(String(headers.get('location')))
        return [answer.headers.get('content-type'), await answer.text()]
      }),
    )
    expect(back[0]).toEqual([
      'text/html; charset=utf-8',
      expect.stringMatching(/<p>[^<]*Ĝ[^<]*<\/p>/),
    ])
    expect(back[1]).toEqual(['text/plain; charset=utf-8', expect.stringContaining('Ĝ')])
    expect(back[2]).toEqual(['text/plain; charset=utf-8', expect.stringContaining('Ĝ')])
    expect(back[3]).toEqual(['application/json', expect.stringMatching(/^\{"a": "[^"]*Ĝ/)])
  })

  describe('that are not there any more', () => {
    const notReady = { status: 409, body: { code: 'TRANSLATION_NOT_READY' } }

    it('a transfer that expired before its bytes came: TRANSLATION_NOT_READY, and a new one works', async () => {
      const { id, tasks } = await sent(1, 'files')
      for (const word of ['Hallo', 'Moin']) {
        await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
        await hub.advance('25h')
        const before = (await call(provider, 'GET', `${tasks}/${id}`)).body
        for (const path of [`${tasks}/${id}`, tasks]) {
          const change = { statusCode: 'TRANSLATION_SUBMITTED' }
          const body = path === tasks ? { assetTaskIds: [id], assetTasksUpdate: change } : change
          expect(await call(provider, 'PATCH', path, body)).toMatchObject(notReady)
        }
        // What was delivered before is not delivered again in its place.
        expect((await call(provider, 'GET', `${tasks}/${id}`)).body).toEqual(before)
        await clean()
        await deliver(tasks, id, word)
      }
      await clean()
    })

    it('a file or content whose row is gone: TRANSLATION_NOT_READY for provider and connector', async () => {
      const lose = (
        requestId: string,
        column: 'incoming_file_id' | 'translation_file_id' | 'translation_content_id',
      ) =>
        hub.inner.db.transact((tx) =>
          tx
            .updateTable('requests')
            .set({ [column]: 'gone' })
            .where('request_id', '=', requestId)
            .execute(),
        )
      const { jobId, id, tasks } = await sent(1, 'files')
      await call(provider, 'POST', `${tasks}/${id}/translatedFile`)
      await lose(id, 'incoming_file_id')
      expect(await submitted(tasks, id)).toMatchObject(notReady)
      await deliver(tasks, id, 'Hallo')
      await lose(id, 'translation_file_id')
      const lost = await call(as, 'GET', `/jobs/${jobId}/requests/${id}/retrievefile`)
      expect(lost).toMatchObject(notReady)
      expect(lost.body.message).toMatch(/is gone; the provider must deliver it again/)
      const fields = await sent(1, 'fields')
      const value = [{ key: 'title', value: 'Hallo' }]
      await call(provider, 'PUT', `${fields.tasks}/${fields.id}/translatedContent`, {
        fields: value,
      })
      await submitted(fields.tasks, fields.id)
      await lose(fields.id, 'translation_content_id')
      for (const way of ['retrieve', 'retrievefile'])
        expect(
          await call(as, 'GET', `/jobs/${fields.jobId}/requests/${fields.id}/${way}`),
        ).toMatchObject(notReady)
    })
  })

  type Update = { statusCode: string; requestIds: string[]; hasError: boolean }
  const updatesOf = async (jobId: string) => {
    const { body } = await call<{ statusupdates: Update[] }>(
      as,
      'GET',
      `/jobs/${jobId}/statusupdates`,
    )
    return body.statusupdates.map(({ statusCode, requestIds, hasError }) => ({
      statusCode,
      requestIds,
      hasError,
    }))
  }
  const taskOf = async (tasks: string, id: string) =>
    (await call(provider, 'GET', `${tasks}/${id}`)).body

  describe('a job that its provider cancels', () => {
    it('takes along every request that can be cancelled, told in one update; approved ones stay', async () => {
      const { jobId, ids, base, tasks } = await sent(4, 'fields')
      const [approved = '', reviewed = '', cancelled = '', waiting = ''] = ids
      for (const id of [approved, reviewed]) {
        await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
          fields: [{ key: 'title', value: 'x' }],
        })
        await submitted(tasks, id)
      }
      await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: [approved] })
      await call(provider, 'PATCH', `${tasks}/${cancelled}`, { statusCode: 'CANCELLED' })
      const before = await updatesOf(jobId)
      const { status, body } = await call(provider, 'PATCH', base, {
        statusCode: 'CANCELLED',
        providerReference: 'P-1',
      })
      expect([status, body.statusCode, body.providerReference]).toEqual([200, 'CANCELLED', 'P-1'])
      const { requests } = (
        await call<{ requests: JsonObject[] }>(as, 'GET', `/jobs/${jobId}/requests`)
      ).body
      expect(requests.map(({ statusCode }) => statusCode)).toEqual([
        'TRANSLATION_APPROVED',
        'CANCELLED',
        'CANCELLED',
        'CANCELLED',
      ])
      const told = [{ statusCode: 'CANCELLED', requestIds: [reviewed, waiting], hasError: false }]
      expect((await updatesOf(jobId)).slice(before.length)).toEqual(told)
      // Once more: the same answer, and nothing is told.
      expect(
        (await call(provider, 'PATCH', base, { statusCode: 'CANCELLED' })).body.statusCode,
      ).toBe('CANCELLED')
      expect((await updatesOf(jobId)).slice(before.length)).toEqual(told)
    })

    it('with nothing but approved requests is told without any; a completed one is refused and nothing moves', async () => {
      const { jobId, id, base, tasks } = await sent(1, 'fields')
      await call(provider, 'PUT', `${tasks}/${id}/translatedContent`, {
        fields: [{ key: 'title', value: 'x' }],
      })
      await submitted(tasks, id)
      await call(as, 'PUT', `/jobs/${jobId}/requests/approve`, { requestIds: [id] })
      await call(provider, 'PATCH', base, { statusCode: 'CANCELLED' })
      expect((await updatesOf(jobId)).at(-1)).toEqual({
        statusCode: 'CANCELLED',
        requestIds: [],
        hasError: false,
      })
      const done = await sent(1, 'fields')
      await call(as, 'PUT', `/jobs/${done.jobId}/complete`)
      expect(
        (await call(provider, 'PATCH', done.base, { statusCode: 'CANCELLED' })).body.code,
      ).toBe('JOB_COMPLETED')
      expect((await taskOf(done.tasks, done.id)).statusCode).toBe('SENDING')
      expect(await updatesOf(done.jobId)).toEqual([])
    })

    it('of 1,200 requests is told in two updates, of one batch each', async () => {
      const { jobId } = (await call(as, 'POST', '/jobs', { jobName: 'Large' })).body
      const request = (at: number) => ({
        requestName: `r${at}`,
        sourceNativeId: String(at),
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fields: [{ key: 'k', value: 'v' }],
      })
      await call(as, 'POST', `/jobs/${jobId}/requests/add`, {
        requests: Array.from({ length: 1_200 }, (_, at) => request(at)),
      })
      await call(as, 'PUT', `/jobs/${jobId}/submit`, { providerId: providers.Manual })
      await hub.advance('5s')
      const base = `/providers/${providers.Manual}/jobs/${jobId}`
      expect((await call(provider, 'PATCH', base, { statusCode: 'CANCELLED' })).status).toBe(200)
      const told = await updatesOf(String(jobId))
      expect(told.map(({ statusCode, requestIds }) => [statusCode, requestIds.length])).toEqual([
        ['CANCELLED', 1_000],
        ['CANCELLED', 200],
      ])
    })
  })

  describe('a PATCH of the provider whose statusCode is the present one', () => {
    const named = { providerReference: 'P-7', extendedMetadata: { step: 2 } }

    it('keeps providerReference and the error of a job, moves nothing and tells only of the error', async () => {
      const { jobId, base } = await sent(1, 'fields')
      for (const statusCode of ['IN_TRANSLATION', 'CANCELLED']) {
        await call(provider, 'PATCH', base, { statusCode })
        const before = await updatesOf(jobId)
        const kept = await call(provider, 'PATCH', base, {
          statusCode,
          providerReference: statusCode,
        })
        expect(kept.body).toMatchObject({
          statusCode,
          providerReference: statusCode,
          hasError: false,
        })
        expect(await updatesOf(jobId)).toEqual(before)
        const failed = {
          statusCode,
          providerReference: 'E',
          hasError: true,
          errorMessage: 'No translator',
        }
        expect((await call(provider, 'PATCH', base, failed)).body).toMatchObject({
          statusCode,
          providerReference: 'E',
          hasError: true,
          latestErrorMessage: 'No translator',
        })
        expect((await updatesOf(jobId)).slice(before.length)).toEqual([
          { statusCode, requestIds: [], hasError: true },
        ])
        // It is no move: the error stays.
        expect((await call(provider, 'PATCH', base, { statusCode })).body.hasError).toBe(true)
      }
    })

    it('keeps providerReference, extendedMetadata and the error of asset tasks, one or many', async () => {
      const { jobId, ids, tasks } = await sent(3, 'fields')
      const [first = '', second = '', third = ''] = ids
      for (const statusCode of ['IN_TRANSLATION', 'CANCELLED']) {
        await call(provider, 'PATCH', tasks, {
          assetTaskIds: [first, second],
          assetTasksUpdate: { statusCode },
        })
        const before = await updatesOf(jobId)
        const activity = (await call(as, 'GET', `/jobs/${jobId}`)).body.activityDate
        await hub.advance('1s')
        const one = await call(provider, 'PATCH', `${tasks}/${first}`, { statusCode, ...named })
        expect(one.body).toMatchObject({ statusCode, ...named, hasError: false })
        expect(await taskOf(tasks, first)).toEqual(one.body)
        expect((await call(as, 'GET', `/jobs/${jobId}`)).body.activityDate).not.toBe(activity)
        expect(await updatesOf(jobId)).toEqual(before)
        // Some are already so, one is not: it moves, and all keep the rest.
        await call(provider, 'PATCH', tasks, {
          assetTaskIds: ids,
          assetTasksUpdate: { statusCode, ...named },
        })
        for (const id of ids)
          expect(await taskOf(tasks, id)).toMatchObject({ statusCode, ...named })
        const failed = { statusCode, hasError: true, errorMessage: 'Lost', providerReference: 'E' }
        await call(provider, 'PATCH', tasks, {
          assetTaskIds: [second, third],
          assetTasksUpdate: failed,
        })
        for (const id of [second, third])
          expect(await taskOf(tasks, id)).toMatchObject({ providerReference: 'E', hasError: true })
        const kept = await call(provider, 'PATCH', `${tasks}/${second}`, {
          statusCode,
          providerReference: 'F',
        })
        expect(kept.body).toMatchObject({
          providerReference: 'F',
          hasError: true,
          latestErrorMessage: 'Lost',
        })
      }
    })
  })

  it('`dragoman check` recounts the bytes of each site and names a difference', async () => {
    const add = (bytes: number) =>
      hub.inner.db.transact((tx) =>
        tx
          .updateTable('site_bytes')
          .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
          .where('site_id', '=', 'demo')
          .where('shard', '=', (eb) =>
            eb.selectFrom('site_bytes').select((min) => min.fn.min('shard').as('shard')),
          )
          .execute(),
      )
    const held = await used()
    await add(7)
    const { findings } = await checkHub(hub.inner)
    expect(findings).toMatchObject([
      {
        check: 'site bytes',
        siteId: 'demo',
        what: 'site demo',
        says: expect.stringContaining(`${held + 7}`),
      },
    ])
    expect(findings[0]?.says).toContain(`${held} bytes`)
    await add(-7)
    await clean()
  })

  it('a count of bytes from before price lists and metadata counted is put right when the database is brought up to date', async () => {
    expect((await call('demo-settings', 'POST', '/settings/pricelists', priceList)).status).toBe(
      201,
    )
    const job = { jobName: 'Bytes', extendedMetadata: { note: 'é' } }
    expect((await call(as, 'POST', '/jobs', job)).status).toBe(201)
    await clean()
    const held = await used()
    await hub.inner.db.transact(async (tx) => {
      await tx.updateTable('site_bytes').set({ bytes: 1 }).execute()
      await metadataBytes.up(tx as never, sqliteTypes)
    })
    expect(await used()).toBe(held)
    await clean()
  })
})
