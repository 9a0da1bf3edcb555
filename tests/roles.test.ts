/**
 * Every endpoint by every role, from the table: who may, who may not, and which sentence says so.
 */
import {
  type Endpoint,
  endpoints,
  methodOf,
  pathOf,
  type Role,
  roles,
  rolesOf,
} from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { enter, type Visitor } from './visitor.ts'

const table = Object.entries<Endpoint>(endpoints)
const isOfSite = (row: Endpoint) =>
  [row.scope].flat().some((scope) => !['operator', 'admin', 'any'].includes(scope))

describe('the column of roles', () => {
  const allowed = (role: Role) => table.filter(([, row]) => rolesOf(row).includes(role))

  it('lets a viewer read only, unless every token may make the call', () => {
    for (const [name, row] of allowed('viewer'))
      expect([name, methodOf(row)], row.call).toEqual([
        name,
        row.scope === 'any' ? methodOf(row) : 'GET',
      ])
  })

  it('lets an admin do all that is not for operators alone', () => {
    for (const [name, row] of table)
      expect([name, rolesOf(row).includes('admin')]).toEqual([name, row.scope !== 'operator'])
  })

  it('gives an operator no content', () => {
    for (const [name, row] of allowed('operator'))
      expect([name, isOfSite(row) && !row.roles]).toEqual([name, false])
  })

  it('keeps people, clients and their secrets to admins and operators', () => {
    for (const [name, row] of table.filter(([, row]) =>
      /\/(people|clients|sessions)\b/.test(row.call),
    ))
      expect([name, [...rolesOf(row)].sort()]).toEqual([name, ['admin', 'operator']])
  })
})

describe.each(databases)('every endpoint by every role (%s)', (database) => {
  let hub: TestHub
  const people = new Map<Role, Visitor>()
  beforeAll(async () => {
    hub = await startHub({ database, profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } })
    await enrolClient(hub.inner, { siteId: 'beyond', clientId: 'beyond-admin', scopes: ['admin'] })
    for (const role of roles)
      people.set(role, await enter(hub, [role], role === 'operator' ? undefined : 'main'))
  })
  afterAll(() => hub.close())

  const pathTo = (row: Endpoint) =>
    pathOf(row).replace(/\{(\w+)\}/g, (_, name: string) => (name === 'level' ? '1' : 'AAAAAAAAAA'))

  it.each(roles)('%s', async (role) => {
    const visitor = people.get(role)
    if (!visitor) throw new Error('nobody')
    const wrong: string[] = []
    for (const [name, row] of table) {
      const { status, body } = await visitor.call(methodOf(row), pathTo(row))
      const isRefused = status === 403 && /it needs the role/.test(String(body.message))
      const may = rolesOf(row).includes(role)
      if (may === isRefused || status === 401 || status >= 500 || body.code === 'CONFIRM_NEEDED')
        wrong.push(`${name}: ${status} ${body.message}, but ${role} ${may ? 'may' : 'may not'}`)
      const names = rolesOf(row).every((one) => one === 'operator')
        ? 'an operator of this hub'
        : role === 'operator'
          ? 'an admin of a site'
          : 'an admin of site main'
      if (isRefused && !String(body.message).endsWith(`; ${names} can give it to you.`))
        wrong.push(`${name}: ${body.message}`)
    }
    expect(wrong).toEqual([])
  })

  it('another site is closed to everyone who has no role in it', async () => {
    for (const [role, visitor] of people) {
      const { status, body } = await visitor.call('GET', '/jobs', {
        headers: { 'x-dragoman-site': 'beyond' },
      })
      const unknown = await visitor.call('GET', '/jobs', {
        headers: { 'x-dragoman-site': 'nowhere' },
      })
      expect([role, status, String(body.message).replace('beyond', 'nowhere')]).toEqual([
        role,
        403,
        unknown.body.message,
      ])
    }
  })
})
