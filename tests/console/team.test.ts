/**
 * A team in a real browser: a translator asks and reads the answer, a reviewer corrects and
 * delivers, a manager plans, copies and cancels, and everybody lands where their work is.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, settled, useConsole, type View } from './console.ts'
import { type Desk, type DeskPerson, openDesk } from './desk-people.ts'

const texts = { fields: { title: 'Your basket', pay: 'Pay now' } }

describe.skipIf(!hasBrowser)('a team', () => {
  const test = useConsole({ database: 'sqlite' })
  let desk: Desk
  let ana: DeskPerson
  let rita: DeskPerson
  beforeAll(async () => {
    desk = await openDesk(test.hub)
    ana = await desk.person('translator', 'Ana Kim')
    rita = await desk.person('reviewer', 'Rita Review')
  })
  const openAs = async (who: DeskPerson, path: string, view?: View): Promise<Page> => {
    const page = await test.open(path, { ...view, cookies: who.cookies })
    await page.locator('h1').waitFor()
    await settled(page)
    return page
  }
  const inReview = async (jobName: string) => {
    const { jobId, ids } = await desk.job(jobName, { Page: texts })
    const task = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
    const { body } = await ana.call<{ segments: { segmentId: string }[] }>(
      'GET',
      `${task}/segments`,
    )
    const segments = body.segments.map(({ segmentId }, at) => ({
      ...{ segmentId, version: 0, state: 'TRANSLATED' },
      target: [['Ihr Korb', 'Jetzt zahlen'][at] ?? ''],
    }))
    expect((await ana.call('PUT', `${task}/segments`, { body: { segments } })).status).toBe(200)
    expect((await ana.call('POST', `${task}/segments/deliver`)).status).toBe(200)
    return { jobId, id: ids[0] ?? '', task }
  }

  it('asks about the text at hand, and reads the answer of the connector', async () => {
    const { jobId, ids } = await desk.job('Asked', { Page: texts })
    const page = await openAs(ana, `/work/${desk.manual}/${jobId}/${ids[0]}?seg=2`)
    await page.getByRole('tab', { name: 'Comments' }).click()
    await page.getByLabel('Your text').fill('Button or page?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('This question is open.').waitFor()
    const { body } = await test.hub.call<{ comments: { commentId: string; by: string }[] }>(
      'GET',
      `/v2/jobs/${jobId}/comments`,
      { as: 'demo-connector' },
    )
    expect(body.comments.map(({ by }) => by)).toEqual(['Ana Kim'])
    const path = `/v2/jobs/${jobId}/comments/${body.comments[0]?.commentId}`
    const answer = { answer: { text: 'The button.' } }
    expect(
      (await test.hub.call('PATCH', path, { as: 'demo-connector', body: answer })).status,
    ).toBe(200)
    await page.getByText('The button.').waitFor()
    expect(await axe(page)).toEqual([])
  })

  it('corrects a text in review, delivers it, and the translator sees who did', async () => {
    const { jobId, id, task } = await inReview('Corrected')
    const page = await openAs(rita, `/work/${desk.manual}/${jobId}/${id}?as=review&seg=2`)
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    await page.getByRole('textbox', { name: 'Correct' }).fill('Jetzt bezahlen')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Correction, not delivered yet').waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Deliver 1 correction' }).click()
    await page.getByText('Correction, not delivered yet').waitFor({ state: 'detached' })
    const { body } = await ana.call<{
      segments: { target: unknown; corrected?: { by: string } }[]
    }>('GET', `${task}/segments`)
    expect(body.segments.map(({ target, corrected }) => [target, corrected?.by])).toEqual([
      [['Ihr Korb'], undefined],
      [['Jetzt bezahlen'], 'Rita Review'],
    ])
    const seen = await openAs(ana, `/work/${desk.manual}/${jobId}/${id}?seg=2`)
    await seen.getByRole('tab', { name: 'History' }).click()
    await seen.getByText('Corrected in review by Rita Review').waitFor()
  })

  it('plans, copies and cancels a job after its submission', async () => {
    const { jobId } = await desk.job('Planned', { Page: texts })
    const page = await test.open(`/jobs/${jobId}`)
    const choose = async (act: string) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: act }).click()
      await page.getByRole('dialog').waitFor()
    }
    await choose('Change the plan')
    await page.getByLabel('Due date').fill('2031-05-06')
    await page.getByLabel('Description').fill('Later')
    await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const jobOf = async () =>
      (
        await test.hub.call<{ dueDate?: string; description?: string; statusCode: string }>(
          'GET',
          `/v2/jobs/${jobId}`,
          { as: 'demo-connector' },
        )
      ).body
    expect(await jobOf()).toMatchObject({ description: 'Later' })
    expect((await jobOf()).dueDate).toContain('2031-05-06')
    await choose('Cancel at the provider')
    await page.getByLabel('Why (both sides read it)').fill('Not any more')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel at the provider' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await jobOf()).statusCode).toBe('CANCELLED')
    await page.getByRole('link', { name: 'Comments' }).click()
    await page.getByText('Not any more').waitFor()
    await choose('Copy the job')
    await page.getByLabel('Name of the copy').fill('Planned again')
    await page.getByLabel('Languages, separated by commas').fill('fr-FR')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the job' }).click()
    await page.getByRole('heading', { name: 'Planned again' }).waitFor()
    expect(new URL(page.url()).pathname).not.toContain(jobId)
  })

  it('everybody lands where their work is, with the pages that they may open', async () => {
    for (const who of [ana, rita]) {
      const page = await openAs(who, '/')
      await page.waitForURL(/\/work$/)
      const names = await page.getByRole('navigation').getByRole('link').allTextContents()
      expect(names.some((name) => name.startsWith('Work'))).toBe(true)
      expect(names.some((name) => /Access|Calls|Deliveries/.test(name))).toBe(false)
      // The page of jobs is a page like the others.
      await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click()
      await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    }
    const manager = await desk.person('manager', 'Max Manager')
    const page = await openAs(manager, '/')
    expect(new URL(page.url()).pathname).toBe('/')
    const viewer = await desk.person('viewer', 'Vera Viewer')
    const views = await openAs(viewer, '/')
    const names = await views.getByRole('navigation').getByRole('link').allTextContents()
    expect(names.some((name) => name.startsWith('Work'))).toBe(false)
  })

  it('adds, finds, corrects and deletes a term and a unit of the memory', async () => {
    const page = await test.open('/terms')
    await page.getByRole('button', { name: 'New term' }).click()
    await page.getByLabel('Names').fill('en: basket\nde: Warenkorb\nde! Korb')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Find a term' }).fill('basket')
    await page.locator('[role=row][data-index]').first().click()
    await page.getByText('not to be used').waitFor()
    expect(await axe(page)).toEqual([])
    await page.goto(`${test.hub.url}/memory`)
    await page.getByRole('button', { name: 'New unit' }).click()
    await page.getByLabel('Source language').fill('en-us')
    await page.getByLabel('Target language').fill('de-de')
    await page.getByLabel('Source', { exact: true }).fill('Your basket')
    await page.getByLabel('Translation').fill('Ihr Warenkorb')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('[role=row][data-index]').first().click()
    await page.getByText('Last changed by').waitFor()
    await page.getByRole('button', { name: 'Delete the unit' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the unit' }).click()
    await page.getByText('The memory is empty').waitFor()
  })

  inViews('terms, the memory and comments', async (view) => {
    const { jobId } = await desk.job('Seen', { Page: texts })
    for (const path of ['/terms', '/memory', `/jobs/${jobId}/comments`]) {
      const page = await test.open(path, view)
      await page.locator('h1').waitFor()
      await settled(page)
      expect(await axe(page), path).toEqual([])
      expect(await overflow(page), path).toBe(0)
    }
  })
})
