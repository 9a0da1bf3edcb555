/**
 * The page Access in a real browser: clients and their secrets, people, their sessions, and the
 * audit log.
 */
import type { Client } from '@dragoman/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { atConsole } from './at-console.ts'
import { clipboard, hasBrowser, useConsole } from './console.ts'
import { hostileIds, hostileNames, ranNothing, watchCalls } from './hostile-names.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the page Access', () => {
  const test = useConsole()
  const call = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const got = await test.hub.call<T>(method, `/v2${path}`, {
      as: 'demo-admin',
      ...(body !== undefined && { body }),
    })
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body
  }
  beforeAll(async () => {
    await call('POST', '/clients', {
      clientId: 'cms',
      scopes: ['content'],
      allowFrom: ['192.0.2.0/24'],
    })
  })

  it('adds a client and shows its secret once; the secret works', async () => {
    const page = await test.open('/access')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('n')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.type('shop-live')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This is the only time it is shown.').waitFor()
    const secret = await dialog.locator('code').innerText()
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    await expect.poll(() => clipboard(page)).toBe(secret)
    await page.keyboard.press('Escape')
    await dialog.getByText('This is the only time it is shown.').waitFor()
    await dialog.getByLabel('I have copied it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('complementary').getByText('shop-live').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.content()).not.toContain(secret)
    expect(await test.hub.token('shop-live', secret)).toEqual(expect.any(String))
  })

  it('rotates a secret with an overlap, and shows when the old one expires', async () => {
    const page = await test.open('/access?client=cms')
    await page.getByLabel('Old secrets stay valid').selectOption('3d')
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The old secrets work until').waitFor()
    await dialog.getByLabel('I have copied it').check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('complementary').getByText('in 3 days').waitFor()
    expect((await call<Client>('GET', '/clients/cms')).secrets).toHaveLength(2)
  })

  it('changes what a client may do, and shows errors at their fields', async () => {
    const page = await test.open('/access?client=cms&form=change')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Networks').fill('nowhere')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('nowhere', { exact: false }).last().waitFor()
    await dialog.getByLabel('Networks').fill('198.51.100.0/24\n203.0.113.7')
    await dialog.getByLabel('settings').check()
    await dialog.getByLabel('Rate limit').fill('50')
    await dialog.getByText('Quotas').click()
    await dialog.getByLabel('MaxReqsPerJob').fill('77')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await call('GET', '/clients/cms')).toMatchObject({
      scopes: expect.arrayContaining(['content', 'settings']),
      allowFrom: ['198.51.100.0/24', '203.0.113.7/32'],
      rateLimit: 50,
      quotas: { MaxReqsPerJob: 77 },
    })
  })

  it('disables and deletes a client, and says why the last admin cannot be deleted', async () => {
    await call('POST', '/clients', { clientId: 'gone', scopes: ['content'] })
    const page = await test.open('/access?client=gone')
    const dialog = page.getByRole('dialog')
    const inspector = page.getByRole('complementary')
    await inspector.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await inspector.getByText('Disabled').first().waitFor()
    await inspector.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await inspector.waitFor({ state: 'detached' })
    await page.goto(`${test.hub.url}/access?client=demo-admin`)
    await inspector.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('The last enabled admin of a site cannot be deleted').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('LAST_ADMIN').waitFor()
    expect((await call<Client>('GET', '/clients/demo-admin')).clientId).toBe('demo-admin')
  })

  it('shows who did what, filtered by object, with the values before and after', async () => {
    const page = await test.open('/access/audit?thing=client&thingId=cms')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.getByRole('complementary').getByText('Trace id').waitFor()
    expect(page.url()).toContain('act=')
    await page.getByLabel('Id', { exact: true }).fill('nobody')
    await page.getByText('No action matches').waitFor()
    const { id } = await call<{ id: string }>('POST', '/providers', {
      name: 'Northwind',
      typeId: 'manual',
      config: {},
    })
    await page.goto(`${test.hub.url}/access/audit?thing=provider&thingId=${id}`)
    const row = page.getByRole('row', {
      name: /provider created Northwind|provider added Northwind/,
    })
    await row.getByTitle(id).waitFor()
    expect(await row.innerText()).not.toContain(id)
  })

  it('invites a person with a link that is shown once, and changes, disables and removes them', async () => {
    const page = await test.open('/access/people')
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('Ada Kowalska')
    await dialog.getByLabel('E-mail').fill('ada@example.com')
    await dialog.getByLabel('manager', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText('It is shown only once and works only once.').waitFor()
    const link = await dialog.locator('code').innerText()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const inspector = page.getByRole('complementary')
    await inspector.getByText('viewer, manager').waitFor()
    await inspector.getByText('not yet').waitFor()
    await expect.poll(() => page.content()).not.toContain(link)
    await inspector.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('viewer', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await inspector.getByRole('button', { name: 'Disable' }).click()
    await inspector.getByRole('button', { name: 'Enable' }).waitFor()
    const { people } = await call<{
      people: { name: string; disabled: boolean; sites: object[] }[]
    }>('GET', '/people')
    expect(people.find(({ name }) => name === 'Ada Kowalska')).toMatchObject({
      disabled: true,
      sites: [{ siteId: 'demo', roles: ['manager'] }],
    })
    await inspector.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await inspector.waitFor({ state: 'detached' })
    await page.getByText('Ada Kowalska').waitFor({ state: 'detached' })
  })

  it('lists open sessions and ends one', async () => {
    const made = await atConsole<{ link: string }>(test.hub, 'POST', '/people', {
      name: '<b id="hostile-element">Grace</b>',
      email: 'grace@example.com',
      sites: [{ roles: ['viewer'] }],
    })
    const token = made.body.link.split('/').at(-1)
    const used = await atConsole(test.hub, 'POST', '/welcome', {
      token,
      password: 'a long passphrase for tests',
    })
    expect(used.status, JSON.stringify(used.body)).toBe(201)
    const page = await test.open('/access/sessions')
    await page.getByRole('grid').getByText('Grace').waitFor()
    await ranNothing(page)
    await page.getByRole('button', { name: /^End the session of/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No open sessions').waitFor()
  })

  it('shows hostile ids and names and runs none of them', async () => {
    for (const clientId of hostileIds) {
      const got = await test.hub.call('POST', '/v2/clients', {
        as: 'demo-admin',
        body: { clientId, scopes: ['provider'] },
      })
      expect([201, 400]).toContain(got.status)
    }
    for (const name of hostileNames.slice(0, 12))
      await call('POST', '/providers', { name, typeId: 'manual' })
    const page = await test.open('/access?client=constructor')
    const strange = watchCalls(page, test.hub.url)
    await page.reload()
    await page.getByRole('complementary').getByText('constructor').waitFor()
    await page.goto(`${test.hub.url}/access?client=constructor&form=change`)
    await page
      .getByRole('dialog')
      .getByLabel(hostileNames[7] ?? '')
      .waitFor()
    await ranNothing(page, strange)
  })
})
