/** `dragoman findings` and `dragoman nodes`, against a running hub and on its database. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type Env, startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'

const run = (args: readonly string[], env: Env) => runCommandLine(args, env, tmpdir())

describe.each(databases)('on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const ways = [
    ['over HTTP', [] as string[], (): Env => ({ HUB_URL: hub.url })],
    [
      'on the database',
      ['--local'],
      (): Env => ({
        DRAGOMAN_PROFILE: 'sandbox',
        DRAGOMAN_DATA: hub.inner.config.data,
        DRAGOMAN_DATABASE_URL: hub.inner.config.databaseUrl,
        ...(hub.inner.config.masterKey && {
          DRAGOMAN_MASTER_KEY: hub.inner.config.masterKey.toString('base64'),
        }),
      }),
    ],
  ] as const

  describe.each(ways)('%s', (_, flags, env) => {
    const dragoman = (...args: string[]) => run([...args, ...flags], env())
    const rule = ['--rule', 'parked-task']
    let id = ''

    test('findings exits with 0 and a sentence if there is nothing', async () => {
      expect(await dragoman('findings', ...rule)).toEqual({
        code: 0,
        out: 'Nothing needs attention.\n',
        err: '',
      })
      expect(await dragoman('findings', ...rule, '--json')).toEqual({
        code: 0,
        out: '[]\n',
        err: '',
      })
    })

    test('findings lists what there is, and exits with 1', async () => {
      const now = hub.inner.clock.now()
      const task = {
        name: 'remove-blobs',
        payload: '{"blobIds":[]}',
        attempts: 8,
        parked: 1,
        fence: 0,
        cause_id: 'c',
      }
      await hub.inner.db.transact((tx) =>
        tx
          .insertInto('tasks')
          .values({ ...task, site_id: 'demo', due_at: now, created_at: now, last_error: 'no.' })
          .execute(),
      )
      const { code, out, err } = await dragoman('findings', ...rule)
      expect({ code, err }).toEqual({ code: 1, err: '' })
      expect(out).toMatch(
        /^SEVERITY +SITE +SINCE +FINDING +WHAT TO DO +REMEDY +ID\nerror +demo .*is parked after 8 failed attempts: no\. .* retry +parked-task\.\d+\.\S{12}\n$/,
      )
      const json = await dragoman('findings', '--site', 'demo', '--severity', 'error', '--json')
      const found = JSON.parse(json.out) as { findingId: string; rule: string }[]
      expect(json.code).toBe(1)
      id = found.find((one) => one.rule === 'parked-task')?.findingId ?? ''
      expect(out).toContain(id)
      expect((await dragoman('findings', ...rule, '--site', 'elsewhere')).code).toBe(0)
    })

    test('findings remedy does what the finding offers, and is refused once it no longer holds', async () => {
      const { code, out } = await dragoman('findings', 'remedy', id)
      expect([code, out]).toEqual([0, expect.stringMatching(/^Task \d+ is due now\.\n$/)])
      const acts = await hub.inner.db.read
        .selectFrom('audit')
        .select(['actor', 'client_id', 'thing_id'])
        .where('thing', '=', 'finding')
        .where('thing_id', '=', id)
        .execute()
      const local = { actor: 'command line', client_id: null }
      expect(acts).toEqual([
        {
          ...(flags.length > 0 ? local : { actor: 'client', client_id: 'demo-operator' }),
          thing_id: id,
        },
      ])
      const again = await dragoman('findings', 'remedy', id)
      expect([again.code, again.err]).toEqual([
        1,
        expect.stringContaining('no longer applies; nothing was done.'),
      ])
      await hub.advance('1s')
    })

    test('nodes lists the nodes', async () => {
      const { code, out } = await dragoman('nodes')
      expect(code).toBe(0)
      expect(out).toMatch(/^NODE +HOST +VERSION +STATE +STARTED +SEEN +CLOCK +TASKS\n/)
      const listed = JSON.parse((await dragoman('nodes', '--json')).out) as { nodeId: string }[]
      expect(listed).toMatchObject([{ nodeId: hub.inner.nodeId, version: expect.any(String) }])
    })
  })

  // The same on every engine.
  if (database === 'sqlite') {
    test.each([
      [['findings', 'remedy'], 2, 'Specify the ID of a finding'],
      [['findings', 'remedy', 'a', 'b'], 2, '"b" is not understood here.'],
      [['findings', 'remedy', 'none'], 1, 'There is no finding none'],
      [['findings', '--rule', 'none'], 1, 'rule'],
      [['findings', 'all'], 2, '"all" is not understood here.'],
      [['nodes', '--limit', '0'], 2, '--limit must be'],
    ])('%j is refused', async (args, code, sentence) => {
      const got = await run(args, { HUB_URL: hub.url })
      expect([got.code, got.err]).toEqual([code, expect.stringContaining(sentence)])
    })

    test('an admin sees its site, a connector is refused', async () => {
      const as = (clientId: string): Env => ({
        HUB_URL: hub.url,
        HUB_CLIENT_ID: clientId,
        HUB_CLIENT_SECRET: `${clientId}-secret`,
      })
      expect((await run(['findings', '--rule', 'parked-task'], as('demo-admin'))).code).toBe(0)
      expect((await run(['findings'], as('demo-connector'))).code).toBe(4)
      expect((await run(['nodes'], as('demo-admin'))).code).toBe(4)
    })
  }
})
