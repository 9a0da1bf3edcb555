/**
 * `dragoman deliveries` and `dragoman tasks`: against a running hub, and with --local on its
 * database.
 */
import { join } from 'node:path'
import type { Listener, SiteDelivery, Task } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../packages/server/src/store/ids.ts'
import { type Env, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'
import { parkTask } from './parked-task.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { runCommandLine } from './run-command.ts'

let hub: TestHub
let receiver: Receiver
let delivery: SiteDelivery
let listenerId: string
beforeAll(async () => {
  hub = await startHub()
  receiver = await startReceiver()
  const as = 'demo-connector'
  const body = { uri: `${receiver.url}/hook`, type: 'JOB_STATUS_UPDATED' }
  listenerId = (await hub.call<Listener>('POST', '/v2/statusupdates/listeners', { as, body })).body
    .listenerId
  receiver.behave({ status: 503, headers: { 'retry-after': '3600' }, body: 'come back later' })
  await hub.call('POST', `/v2/statusupdates/listeners/${listenerId}/test`, { as })
  await hub.advance('1s')
  const found = await hub.call<{ deliveries: [SiteDelivery] }>('GET', '/v2/deliveries', {
    as: 'demo-admin',
  })
  delivery = found.body.deliveries[0]
})
afterAll(async () => {
  await hub.close()
  await receiver.close()
})

/** A newer delivery of the same job, which waits until the failing one has arrived. */
async function waitingBehind(): Promise<string> {
  return hub.inner.db.transact(async (tx) => {
    const of = tx
      .selectFrom('deliveries')
      .selectAll()
      .where('delivery_id', '=', delivery.deliveryId)
    const { position: _, ...row } = await of.executeTakeFirstOrThrow()
    const delivery_id = newId()
    await tx
      .insertInto('deliveries')
      .values({ ...row, delivery_id, attempts: 0 })
      .execute()
    return delivery_id
  })
}

const command = (args: readonly string[], env: Env = {}) =>
  runCommandLine(args, { HUB_URL: hub.url, ...env }, hub.folder)

describe.each(['over HTTP', 'with --local'])('the command line %s', (way) => {
  const local = () => ({ DRAGOMAN_PROFILE: 'sandbox', DRAGOMAN_DATA: join(hub.folder, 'data') })
  const run = (...args: string[]) =>
    way === 'with --local' ? command([...args, '--local'], local()) : command(args)

  it('lists, shows and explains deliveries', async () => {
    const listed = await run('deliveries', 'list', '--state', 'PENDING', '--code', '503')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(
      /^DELIVERY +SITE +JOB +EVENT +STATE +CREATED +TRIES +LAST RESPONSE\n/,
    )
    expect(listed.out).toContain(
      `${delivery.deliveryId}  demo  ${delivery.jobId}  JOB_UPDATE  PENDING`,
    )
    const asJson = await run('deliveries', '--json')
    expect(JSON.parse(asJson.out)).toMatchObject([
      { deliveryId: delivery.deliveryId, responseCode: 503 },
    ])
    expect((await run('deliveries', 'list', '--state', 'PARKED')).out).toBe(
      'There are no such deliveries.\n',
    )
    const causes = await run('deliveries', 'causes')
    expect(causes.out).toContain(
      `1 delivery does not arrive: 127.0.0.1:${receiver.port} answers 503.`,
    )
    const shown = await run('deliveries', 'show', delivery.deliveryId)
    expect(shown.out).toMatch(/^deliveryId: +\S{22}$/m)
    expect(shown.out).toMatch(/^Attempt 1, .*: 503\n {2}webhook-id: \S{22}\n/m)
    // An operator sees no content of a site.
    expect(shown.out).not.toContain('come back later')
    const asAdmin = ['deliveries', 'show', delivery.deliveryId, '--client-id', 'demo-admin']
    expect((await command(asAdmin)).out).toMatch(/\n{"eventType":[\s\S]*\ncome back later\n/)
    expect(shown.out).toContain('webhook-signature: v1,…')
  })

  it('replays them after a dry run', async () => {
    const dry = await run('deliveries', 'replay', '--listener', listenerId, '--dry-run')
    expect(dry).toEqual({ code: 0, out: '1 delivery would be sent again.\n', err: '' })
    const second = await waitingBehind()
    const asked = ['deliveries', 'replay', delivery.deliveryId, '--dry-run']
    const out = '1 delivery would be sent again. 1 delivery of the same jobs would follow.\n'
    expect(await run(...asked)).toEqual({ code: 0, out, err: '' })
    expect(JSON.parse((await run(...asked, '--json')).out)).toEqual({
      wouldReplay: 1,
      wouldFollow: 1,
    })
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('deliveries').where('delivery_id', '=', second).execute(),
    )
    receiver.calls.length = 0
    const done = await run('deliveries', 'replay', delivery.deliveryId, '--json')
    expect(JSON.parse(done.out)).toEqual({ replayed: 1 })
    await until('it is sent again', () => receiver.calls.length > 0)
    expect(await run('deliveries', 'replay', 'nothing')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no delivery nothing here.'),
    })
    const [act] = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .orderBy('audit_id', 'desc')
      .execute()
    const actor =
      way === 'with --local'
        ? { actor: 'command line' }
        : { actor: 'client', client_id: 'demo-operator' }
    expect(act).toMatchObject({
      thing: 'listener',
      verb: 'deliveries replayed',
      thing_id: listenerId,
      ...actor,
    })
  })

  it('lists and retries tasks', async () => {
    const taskId = await parkTask(hub, { site_id: 'demo' })
    const listed = await run('tasks', '--state', 'parked')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(
      new RegExp(`^${taskId} +deliver +parked +\\S+ \\S+ +8 +demo +It did not work\\.$`, 'm'),
    )
    const all = JSON.parse((await run('tasks', 'list', '--json')).out) as Task[]
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['sweep', 'deliver']))
    expect((await run('tasks', 'retry', taskId)).out).toBe(`Task ${taskId} (deliver) is due now.\n`)
    await parkTask(hub, { site_id: 'demo' })
    expect((await run('tasks', 'retry', '--state', 'parked', '--name', 'deliver')).out).toBe(
      '1 task made due.\n',
    )
    const runs = { parked: 0, leased_by: 'a-node', lease_until: hub.inner.clock.now() + 60_000 }
    const busy = await parkTask(hub, { site_id: 'demo', ...runs })
    expect(await run('tasks', 'retry', busy)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `Task ${busy} cannot be retried while it runs; wait until the run ends.`,
      ),
    })
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('tasks').where('leased_by', '=', 'a-node').execute(),
    )
  })
})

it.each([
  [['deliveries', 'replay'], 'Specify ids, a filter such as --listener ID, or --failed'],
  [['deliveries', 'replay', 'x', '--job', 'y'], 'Use either ids or a filter, not both.'],
  [
    ['deliveries', 'replay', '--all', '--missing'],
    'Use only one of --all, --failed and --missing.',
  ],
  [
    ['deliveries', 'replay', '--code', 'many'],
    '--code must be a response code such as 503, not "many".',
  ],
  [['deliveries', 'show'], 'Specify one delivery by its ID.'],
  [['tasks', 'retry'], 'Specify a task by its ID, or --state parked'],
  [['tasks', 'retry', '1', '--name', 'x'], 'Use either an ID or --name, --state and --site.'],
])('%j is refused with a sentence', async (args, says) => {
  const { code, err } = await command(args)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) })
})
