/**
 * Drafts in a real Chromium on a real hub: two tabs, two people, no network, an ended session, a
 * closed page and a killed hub. Nothing is lost, nothing is overwritten unseen, and what was told
 * as saved is at the hub.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Segment } from '@dragoman/contract/wire'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { drawsAll, sized } from '../draws.ts'
import { freePort } from '../free-port.ts'
import { startHub, startProcess, type TestHub, type TestProcess } from '../hub.ts'
import { enter, goodPassword } from '../visitor.ts'
import { hasBrowser } from './console.ts'
import {
  choose,
  flush,
  type OnPage,
  open,
  openTab,
  sendJob,
  sources,
  stateOf,
  useWindows,
  write,
} from './desk-stage/draft-pages.ts'
import { seeded } from './random-edits.ts'

describe.skipIf(!hasBrowser)('drafts in the browser', () => {
  const newWindow = useWindows()
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())
  const atHub = async (task: string): Promise<(string | undefined)[]> => {
    const [providerId, jobId, assetTaskId] = task.split('/')
    const path = `/v2/providers/${providerId}/jobs/${jobId}/assetTasks/${assetTaskId}/segments`
    const { body } = await hub.call<{ segments: Segment[] }>('GET', path, { as: 'demo-provider' })
    return body.segments.map(({ target }) => target?.join(''))
  }

  it('are saved 800 ms after the last key, and told as saved once they are', async () => {
    const task = await sendJob(hub)
    const context = await newWindow(hub.url)
    await context.clock.install()
    const page = await openTab(context, hub.url, task)
    await context.clock.pauseAt(Date.now() + 3_600_000)
    const calls: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && calls.push(request.method()))
    await write(page, 0, 'Ihr')
    await context.clock.runFor(799)
    await write(page, 0, 'Ihr Warenkorb')
    await context.clock.runFor(799)
    expect([calls, (await stateOf(page, 0))?.saving, (await atHub(task))[0]]).toEqual([
      [],
      'waiting',
      undefined,
    ])
    await context.clock.runFor(1)
    await expect.poll(() => stateOf(page, 0).then((now) => now?.saving)).toBe('saved')
    expect([calls.length, (await atHub(task))[0]]).toEqual([1, 'Ihr Warenkorb'])
  })

  it('leave with the page that is closed before the pause is over', async () => {
    const task = await sendJob(hub)
    const page = await openTab(await newWindow(hub.url), hub.url, task)
    await write(page, 2, 'im Gehen')
    await page.goto('about:blank')
    await expect.poll(async () => (await atHub(task))[2]).toBe('im Gehen')
  })

  it('of two tabs: the second sees both versions, and chooses', async () => {
    const task = await sendJob(hub)
    const context = await newWindow(hub.url)
    const [one, other] = [
      await openTab(context, hub.url, task),
      await openTab(context, hub.url, task),
    ]
    await write(one, 1, 'Jetzt zahlen')
    await write(other, 1, 'Sofort zahlen')
    await write(other, 2, 'Tag wählen')
    await flush(one)
    await flush(other)
    expect(await stateOf(other, 1)).toMatchObject({
      saving: 'conflict',
      target: ['Sofort zahlen'],
      theirs: { target: ['Jetzt zahlen'], version: 1 },
    })
    expect((await atHub(task)).slice(1, 3)).toEqual(['Jetzt zahlen', 'Tag wählen'])
    await choose(other, 1, 'mine')
    expect((await atHub(task))[1]).toBe('Sofort zahlen')
    await write(one, 1, 'Jetzt bezahlen')
    await flush(one)
    expect([(await stateOf(one, 1))?.saving, (await atHub(task))[1]]).toEqual([
      'conflict',
      'Sofort zahlen',
    ])
    await choose(one, 1, 'theirs')
    expect([await open(one), (await atHub(task))[1]]).toEqual(['0', 'Sofort zahlen'])
  })

  it('without network stay in the browser, also when the page is loaded again, and are sent when it is back', async () => {
    const task = await sendJob(hub)
    const context = await newWindow(hub.url)
    const page = await openTab(context, hub.url, task)
    await write(page, 0, 'gespeichert')
    await flush(page)
    await context.setOffline(true)
    await write(page, 0, 'ohne Netz')
    await write(page, 3, 'auch ohne Netz')
    await flush(page)
    expect([(await stateOf(page, 0))?.saving, await open(page)]).toEqual(['offline', '2'])
    await page.close()
    await context.setOffline(false)
    const again = await openTab(context, hub.url, task)
    await expect
      .poll(() => atHub(task))
      .toEqual(['ohne Netz', undefined, undefined, 'auch ohne Netz'])
    await expect.poll(() => open(again)).toBe('0')
    expect(
      await again.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('drafts'))),
    ).toEqual([])
  })

  it('outlive the session: the person signs in over the page, and they go on', async () => {
    const task = await sendJob(hub)
    const person = await enter(hub, ['admin'], 'demo')
    const page = await openTab(await newWindow(hub.url, person.cookies), hub.url, task)
    await write(page, 0, 'vorher')
    await flush(page)
    const { personId } = person.session.person
    // The sandbox asks nobody to sign in while it is on loopback only.
    const { host } = hub.inner.config
    Object.assign(hub.inner.config, { host: '0.0.0.0' })
    onTestFinished(() => void Object.assign(hub.inner.config, { host }))
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('sessions').where('person_id', '=', personId).execute(),
    )
    await write(page, 0, 'nach dem Ende')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill(person.email)
    expect((await atHub(task))[0]).toBe('vorher')
    expect(await page.evaluate(() => JSON.stringify(localStorage).includes('nach dem Ende'))).toBe(
      true,
    )
    await dialog.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => stateOf(page, 0).then((now) => now?.saving)).toBe('saved')
    expect((await atHub(task))[0]).toBe('nach dem Ende')
  })

  it('of two people at once: each text in its segment, none lost, none overwritten unseen', async () => {
    const random = seeded(3)
    const task = await sendJob(hub)
    const { cookies } = await enter(hub, ['admin'], 'demo')
    const people = [
      await openTab(await newWindow(hub.url), hub.url, task),
      await openTab(await newWindow(hub.url, cookies), hub.url, task),
    ]
    /** What stands in each segment, by whoever wrote last knowing what stood there. */
    const model: (string | undefined)[] = sources.map(() => undefined)
    let [written, met] = [0, 0]
    for (let round = 0; round < sized(30, 300); round += 1) {
      const [at, who] = [random(sources.length), random(2)]
      const page = people[who] ?? people[0]
      if (!page) break
      const text = `${at}: ${who} wrote ${round}`
      await write(page, at, text)
      written += 1
      await flush(page)
      const state = await stateOf(page, at)
      if (state?.saving === 'conflict') {
        met += 1
        expect([round, state.target, state.theirs?.target?.join('')]).toEqual([
          round,
          [text],
          model[at],
        ])
        const which = random(2) === 0 ? 'mine' : 'theirs'
        await choose(page, at, which)
        if (which === 'mine') model[at] = text
      } else {
        expect([round, state?.saving]).toEqual([round, 'saved'])
        model[at] = text
      }
      expect([round, await atHub(task)]).toEqual([round, model])
    }
    expect([await Promise.all(people.map(open)), written > met && met > 0]).toEqual([
      ['0', '0'],
      true,
    ])
    if (drawsAll)
      process.stdout.write(`${written} drafts of two people, ${met} met another version, 0 lost\n`)
  })
})

describe.skipIf(!hasBrowser)('drafts at a hub that is killed', () => {
  const newWindow = useWindows()
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-drafts-'))
  let running: TestProcess | undefined
  afterAll(async () => {
    await running?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are there again if they were told as saved, and the others are sent', async () => {
    const data = join(folder, 'data')
    const first = await startHub({ env: { DRAGOMAN_DATA: data } })
    const task = await sendJob(first)
    await first.close()
    const env = { DRAGOMAN_DATA: data, DRAGOMAN_PORT: String(await freePort()) }
    running = await startProcess(env)
    const { url } = running
    const random = seeded(9)
    const page = await openTab(await newWindow(url), url, task)
    const list = async () =>
      (await page.evaluate(() => (globalThis as unknown as OnPage).stage.list())).map(
        ({ target }) => target?.join(''),
      )
    const last: (string | undefined)[] = sources.map(() => undefined)
    let [written, saved] = [0, 0]
    const rounds = sized(1, 15)
    for (let round = 0; round < rounds; round += 1) {
      const told = [...last]
      const killsAt = 6 + random(6)
      for (let step = 0; step <= killsAt; step += 1) {
        const at = random(sources.length)
        const text = `${at}: ${round}.${step}`
        last[at] = text
        await write(page, at, text)
        written += 1
        const sent = flush(page)
        // In the middle of a call.
        if (step === killsAt) running.signal('SIGKILL')
        await sent
        if ((await stateOf(page, at))?.saving !== 'saved') continue
        told[at] = text
        saved += 1
      }
      await running.exited
      running = await startProcess(env)
      // Only the one under way may be newer than what was told.
      for (const [at, now] of (await list()).entries())
        expect([round, at, now === told[at] || now === last[at], now]).toEqual([
          round,
          at,
          true,
          now,
        ])
      await flush(page)
      await expect.poll(() => open(page)).toBe('0')
      expect([round, await list()]).toEqual([round, last])
    }
    if (drawsAll)
      process.stdout.write(
        `${written} drafts, ${saved} told as saved, ${rounds} kills, 0 lost, 0 mixed\n`,
      )
  })
})
