/**
 * `dragoman people`: links, hashes and sessions, as the command line runs them, beside a running
 * hub.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, type Env, startHub, type TestHub } from './hub.ts'
import { runCommandLine } from './run-command.ts'
import { enter, goodPassword, tokenIn, visit } from './visitor.ts'

const program = join(import.meta.dirname, '../packages/cli/bin/dragoman.js')

const people = (args: readonly string[], env: Env = {}) =>
  runCommandLine(['people', ...args], { ...env, COLUMNS: '300' })

/** The program itself, with this on its standard input. */
async function built(args: readonly string[], env: Env, input: string) {
  const child = spawn(process.execPath, [program, 'people', ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.err += text
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((exited) => child.once('close', exited))
  return { code, ...said }
}

describe.each(databases)('dragoman people (%s)', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database, profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } })
    await enter(hub, ['admin', 'operator'], 'main')
  })
  afterAll(() => hub.close())
  const local = () => ({ ...hub.env, DRAGOMAN_PUBLIC_URL: 'https://hub.example' })

  it('link --role prints a link that a new person uses once, with these roles', async () => {
    const { code, out, err } = await people(['link', '--role', 'viewer,developer'], local())
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [link = '', , more] = out.split('\n')
    expect(link).toMatch(/^https:\/\/hub\.example\/#\/welcome\/[\w-]{43}$/)
    expect(more).toMatch(
      /^It works once, until \d{4}-\d\d-\d\dT[\d:.]+Z\. Whoever has it can sign in\.$/,
    )
    const browser = visit(hub)
    const given = { name: 'Eve', email: 'eve@example.org', password: goodPassword }
    const session = await browser.welcome(tokenIn(link), given)
    expect(session.sites).toEqual([{ siteId: 'main', roles: ['viewer', 'developer'] }])
    const again = await visit(hub).call('POST', '/welcome', {
      body: { token: tokenIn(link), ...given },
    })
    expect(again.body.code).toBe('LINK_NOT_FOUND')
  })

  it('link --email lets a person set a new password, and says who is unknown', async () => {
    const bob = await enter(hub, ['viewer'], 'main')
    const { code, out } = await people(
      ['link', '--email', bob.email.toUpperCase(), '--json'],
      local(),
    )
    const made = JSON.parse(out) as { link: string; expiryDate: string; sites: unknown[] }
    expect([code, made]).toMatchObject([0, { sites: [], expiryDate: expect.stringMatching(/Z$/) }])
    await visit(hub).welcome(tokenIn(made.link), { password: 'a whole new phrase' })
    expect((await bob.call('GET', '/session')).status).toBe(401)
    expect((await bob.signIn({ email: bob.email, password: 'a whole new phrase' })).status).toBe(
      201,
    )
    const unknown = await people(['link', '--email', 'nobody@example.org'], local())
    expect(unknown).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('nobody@example.org'),
    })
  })

  it('sessions lists who is signed in, of one person if asked; end ends one at once', async () => {
    const [carol, dan] = [
      await enter(hub, ['viewer'], 'main'),
      await enter(hub, ['viewer'], 'main'),
    ]
    const { personId, name } = carol.session.person
    const all = await people(['sessions', '--local'], local())
    expect(all.out).toMatch(/^SESSION +NAME +ADDRESS +BEGAN +LAST USED +ENDS$/m)
    for (const one of [carol, dan]) expect(all.out).toContain(one.session.person.name)
    const hers = await people(['sessions', '--person', personId, '--local', '--json'], local())
    const sessions = JSON.parse(hers.out) as { sessionId: string; personId: string }[]
    expect(sessions.map((one) => one.personId)).toEqual([personId])
    const id = sessions[0]?.sessionId ?? ''
    const ended = await people(['end', id, '--local'], local())
    expect(ended).toEqual({ code: 0, out: `The session ${id} of ${name} was ended.\n`, err: '' })
    expect((await carol.call('GET', '/session')).status).toBe(401)
    expect((await dan.call('GET', '/session')).status).toBe(200)
    const gone = await people(['end', id, '--local'], local())
    expect(gone).toMatchObject({ code: 1, out: '', err: expect.stringContaining(id) })
  })
})

describe('dragoman people with wrong arguments', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ profile: 'production' })
  })
  afterAll(() => hub.close())

  it.each([
    [['link'], 'Specify either --role or --email.'],
    [['link', '--role', 'admin', '--email', 'a@example.org'], 'Specify either --role or --email.'],
    [['link', '--role', 'king'], 'Unknown role "king"; the roles are viewer,'],
    [['link', '--role', 'operator', '--site', 'main'], 'leave --site out'],
    [['link', '--role', 'admin', '--site', 'nowhere'], 'nowhere'],
    [['end'], 'Specify one session.'],
  ] as const)('%j is refused with a reason, and makes no link', async (args, reason) => {
    const rows = () => hub.inner.db.read.selectFrom('person_links').select('link_hash').execute()
    const before = (await rows()).length
    const { code, out, err } = await people(args, hub.env)
    expect({ failed: code !== 0, out }).toEqual({ failed: true, out: '' })
    expect(err).toContain(reason)
    expect(await rows()).toHaveLength(before)
  })
})

describe('dragoman people hash', () => {
  it('prints a hash of the first line that lets the configured admin in', async () => {
    const { code, out, err } = await built(['hash'], {}, `${goodPassword}\nnot this line\n`)
    expect([code, err]).toEqual([0, ''])
    const env = {
      DRAGOMAN_ADMIN_EMAIL: 'root@example.org',
      DRAGOMAN_ADMIN_PASSWORD_HASH: out.trim(),
    }
    const hub = await startHub({ profile: 'production', env })
    const { status } = await visit(hub).signIn({
      email: 'root@example.org',
      password: goodPassword,
    })
    await hub.close()
    expect(status).toBe(201)
  })

  it.each(['', 'password1234'])('refuses %j', async (password) => {
    const { code, out, err } = await built(['hash'], {}, `${password}\n`)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/password/i)
  })
})
