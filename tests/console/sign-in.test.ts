/**
 * Sign-in, the welcome page and My settings, in a real browser, on a hub in the profile production.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { linkByHand } from '../../packages/server/src/domain/people/link-by-hand.ts'
import { enter, firstToken, goodPassword, tokenIn } from '../visitor.ts'
import {
  axe,
  hasBrowser,
  inViews,
  overflow,
  pressPair,
  settled,
  useConsole,
  type View,
} from './console.ts'

const hostile = '<img src=x onerror=alert(1)>{name} "; drop'

describe.skipIf(!hasBrowser)('sign-in in the browser', () => {
  const test = useConsole({ profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } })
  let ada: Awaited<ReturnType<typeof enter>> | undefined
  let first = ''
  beforeAll(async () => {
    first = firstToken(test.hub)
  })
  /** To be called once the first person has signed in. */
  const someone = async () => {
    ada ??= await enter(test.hub, ['admin', 'operator'], 'main')
    return ada
  }

  const title = (page: Page, text: string) => page.locator('h1', { hasText: text }).waitFor()
  const signIn = async (page: Page, email: string, password = goodPassword) => {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }
  /** Opened with the session of a person. */
  const openAs = (
    who: Awaited<ReturnType<typeof enter>>,
    path: string,
    view?: View,
  ): Promise<Page> => test.open(path, { ...view, cookies: who.cookies })

  it('says what to do while nobody can sign in', async () => {
    const page = await test.open('/')
    await page.getByText('Nobody can sign in yet').waitFor()
    await page.getByText('dragoman people link --role admin').waitFor()
    expect(await axe(page)).toEqual([])
  })

  it('lets the first person in with the link; the token leaves the address, and a name is shown as text', async () => {
    const page = await test.open(`/#/welcome/${first}`)
    await title(page, 'Welcome')
    expect(page.url()).toBe(`${test.hub.url}/welcome`)
    await page.getByText('Operator of this hub').waitFor()
    // A reload keeps the token, although it is not in the address.
    await page.reload()
    await page.getByText('Operator of this hub').waitFor()
    expect(page.url()).toBe(`${test.hub.url}/welcome`)
    expect(await axe(page)).toEqual([])
    await page.getByLabel('Your name').fill(hostile)
    await page.getByLabel('E-mail address').fill('first@example.org')
    await page.getByLabel('Password').fill('too short')
    await page.getByText('Use at least 12 characters.').first().waitFor()
    await page.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await title(page, 'Jobs')
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(first)
    await page.goto(`${test.hub.url}/me`)
    await page.getByLabel('Name', { exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(hostile)
    expect(await page.locator('img').count()).toBe(0)
    // This hub sends no mail.
    expect(await page.getByLabel('Daily digest').count()).toBe(0)
  })

  it('offers no sandbox in production: not in the navigation, not by a key, not where no call was made yet', async () => {
    const page = await openAs(await someone(), '/')
    await page.route('**/console/api/calls?*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), calls: [] } })
    })
    await page.goto(`${test.hub.url}/calls`)
    await page.getByText('Calls of the last 7 days appear here').waitFor()
    expect(await page.locator('a[href$="/sandbox"]').count()).toBe(0)
    await pressPair(page, 'gs')
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    expect(await page.getByRole('group', { name: 'Pages' }).getByText('Sandbox').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/calls')
  })

  it('explains that a link was used already', async () => {
    const page = await test.open(`/#/welcome/${first}`)
    await page.getByText('This link cannot be used').waitFor()
  })

  it('signs in to the page that the person asked for; of a mistake it says only that it did not match', async () => {
    await someone()
    const page = await test.open('/deliveries')
    await title(page, 'Sign in')
    await signIn(page, (await someone()).email, 'not the right one')
    await page.getByText('That did not match.').waitFor()
    await page.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await title(page, 'Deliveries')
    expect(new URL(page.url()).pathname).toBe('/deliveries')
  })

  it('sends an operator without a site to Health, which works; other pages say why they do not', async () => {
    await someone()
    const page = await openAs(await enter(test.hub, ['operator']), '/')
    await title(page, 'Health')
    await page.getByRole('heading', { name: /All is well|error|warning/ }).waitFor()
    for (const part of ['tasks', 'nodes', 'storage', 'audit', 'backups']) {
      await page.goto(`${test.hub.url}/health/${part}`)
      await title(page, 'Health')
      await settled(page)
      expect([part, await page.getByText('You do not have access to this').count()]).toEqual([
        part,
        0,
      ])
    }
    await pressPair(page, 'gd')
    await page.getByText('This page belongs to a site').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('link', { name: 'To Health' }).click()
    await title(page, 'Health')
    await page.goto(`${test.hub.url}/access/people`)
    await page.getByRole('row').filter({ hasText: 'Person' }).first().waitFor()
  })

  it('switches between the sites of a person with keys; everything is read again, and each tab keeps its site', async () => {
    await someone()
    const both = await enter(test.hub, ['admin'], 'main')
    const { personId } = both.session.person
    await test.hub.inner.db.transact(async (tx) => {
      await tx
        .insertInto('sites')
        .values({ site_id: 'second', created_at: 1, removing_at: null })
        .execute()
      await tx
        .insertInto('person_roles')
        .values({ person_id: personId, site_id: 'second', role: 'admin' })
        .execute()
    })
    for (const [site, jobName] of [
      ['main', 'Job of main'],
      ['second', 'Job of second'],
    ] as const)
      await both.call('POST', '/jobs', { body: { jobName }, headers: { 'x-dragoman-site': site } })
    const page = await openAs(both, '/?filter=jobName%20ne%20%27x%27')
    const other = await page.context().newPage()
    await other.goto(`${test.hub.url}/`)
    const row = (at: Page, text: string) => at.getByRole('row').filter({ hasText: text })
    await row(page, 'Job of main').waitFor()
    await row(other, 'Job of main').waitFor()
    const stream = page.waitForRequest((request) =>
      request.url().includes('/console/stream?site=second'),
    )
    await pressPair(page, 'gi')
    await page.getByRole('menuitem', { name: /^second/ }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('menuitem', { name: /^second/ }).click()
    await row(page, 'Job of second').waitFor()
    await expect.poll(() => row(page, 'Job of main').count()).toBe(0)
    // The filter belonged to the other site.
    expect(page.url()).toBe(`${test.hub.url}/`)
    await stream
    await other.reload()
    await row(other, 'Job of second').or(row(other, 'Job of main')).first().waitFor()
    await page.reload()
    await row(page, 'Job of second').waitFor()
    await page.goto(`${test.hub.url}/health/tasks?state=parked`)
    await page.getByRole('button', { name: 'second' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.insertText('switch to site main')
    await page.getByRole('option', { name: /site main/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toBe(`${test.hub.url}/health/tasks`)
    await page.getByRole('button', { name: 'main' }).waitFor()
  })

  it('asks to sign in again when the session ends, keeps the form, and saves it then', async () => {
    const person = await enter(test.hub, ['admin'], 'main')
    const page = await openAs(person, '/me')
    await page.getByLabel('Name', { exact: true }).fill('Renamed by hand')
    await test.hub.inner.db.transact((tx) =>
      tx.deleteFrom('sessions').where('person_id', '=', person.session.person.personId).execute(),
    )
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your session has ended').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed by hand')
    await dialog.getByLabel('E-mail address').fill(person.email)
    await dialog.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/me')
    await expect
      .poll(() =>
        test.hub.inner.db.read
          .selectFrom('people')
          .select('name')
          .where('email', '=', person.email)
          .executeTakeFirst(),
      )
      .toEqual({ name: 'Renamed by hand' })
  })

  it('asks for the password before it makes recovery codes, and shows them once', async () => {
    const person = await enter(test.hub, ['viewer'], 'main')
    await test.hub.inner.db.transact((tx) =>
      tx
        .updateTable('sessions')
        .set({ confirmed_at: 1 })
        .where('person_id', '=', person.session.person.personId)
        .execute(),
    )
    const page = await openAs(person, '/me')
    await page.getByRole('button', { name: 'Create recovery codes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Confirm that it is you').waitFor()
    await dialog.getByLabel('Password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByText('10 codes are left.').waitFor()
    const [code = ''] = await page.locator('li.mono').allTextContents()
    expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    await page.reload()
    await page.getByText('10 codes are left.').waitFor()
    expect(await page.locator('li.mono').count()).toBe(0)
  })

  it('adds a passkey, signs in with it alone, and asks for it as the second step', async () => {
    const person = await enter(test.hub, ['developer'], 'main')
    const local = test.hub.url.replace('127.0.0.1', 'localhost')
    const page = await test.open('/signin', { own: true })
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const
    await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
    await page.goto(`${local}/me`)
    await signIn(page, person.email)
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).waitFor()
    await page.getByLabel('Two-step sign-in').click()
    await expect.poll(() => page.getByLabel('Two-step sign-in').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await title(page, 'Sign in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Jobs')
    await page.goto(`${local}/me`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await title(page, 'Sign in')
    await signIn(page, person.email)
    await page.getByText('Now use your passkey.').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await title(page, 'Jobs')
    const acts = await test.hub.inner.db.read
      .selectFrom('audit')
      .select('is_now')
      .where('verb', '=', 'signed in')
      .orderBy('audit_id', 'desc')
      .limit(2)
      .execute()
    expect(acts.map(({ is_now }) => JSON.parse(is_now ?? '{}').by)).toEqual([
      'password and passkey',
      'passkey',
    ])
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      await someone()
      const page = await test.open('/signin', view)
      await page.locator('input[name=password]').waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      const { link } = await linkByHand(test.hub.inner, { roles: ['manager'] })
      const welcome = await test.open(`/#/welcome/${tokenIn(link)}`, view)
      await welcome.locator('input[name=password]').waitFor()
      expect(await axe(welcome)).toEqual([])
      const mine = await openAs(await someone(), '/me', view)
      await mine.locator('input[name=password]').waitFor()
      expect(await axe(mine)).toEqual([])
      expect(await overflow(mine)).toBe(0)
    },
  )
})
