/**
 * Tasks of people with the clicks and keys that they take. A click, a key and a dropped file count
 * one each. Two more are counted where their jobs are made: approving 20 requests, and the reason
 * of a late job (job.test.ts).
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { priceList } from '../price-list.ts'
import { hasBrowser, useConsole } from './console.ts'
import { makeJob } from './some-jobs.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('counted tasks', () => {
  const test = useConsole({ database: 'sqlite' })
  beforeAll(async () => {
    await test.hub.call('POST', '/v2/settings/pricelists', { as: 'demo-admin', body: priceList })
  })

  it('makes a priced job in two languages from a dropped file in 6 actions, and submits it with 2 more', async () => {
    await makeJob(test.hub, { jobName: 'Earlier', targets: ['de-de', 'fr-fr'] })
    const page = await test.open('/jobs/new')
    let actions = 0
    const act = async (step: Promise<unknown>) => {
      actions++
      await step
    }
    const field = (name: string) => page.getByRole('combobox', { name })
    const option = (name: RegExp) => page.getByRole('listbox').getByRole('option', { name })
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['Welcome to our shop.\n'], 'home.txt', { type: 'text/plain' }))
      return data
    })
    await act(page.getByText('Drop files here').dispatchEvent('drop', { dataTransfer: dropped }))
    await page.getByText('1 of 1 files uploaded').waitFor()
    await act(field('Source language').click())
    await act(option(/en-us$/).click())
    await act(field('Target languages').click())
    await act(option(/de-de$/).click())
    await act(option(/fr-fr$/).click())
    await expect
      .poll(() => page.locator('aside [role=status] b').first().textContent())
      .toMatch(/^[\d,]+\.\d\d EUR$/)
    expect(actions).toBeLessThanOrEqual(6)
    await act(page.getByLabel('Provider').selectOption({ label: 'Pseudo' }))
    await page.locator('button:not([aria-disabled])', { hasText: 'Submit job' }).waitFor()
    await act(page.getByRole('button', { name: 'Submit job' }).click())
    await page.waitForURL(/\/jobs\/[A-Za-z0-9]{10}$/)
    expect(actions).toBeLessThanOrEqual(8)
  })

  it('goes from a word of a name to the job by the word and Enter, after Ctrl K', async () => {
    const { jobId } = await makeJob(test.hub, { jobName: 'The great autumn catalogue' })
    for (let at = 0; at < 3; at++) await makeJob(test.hub, { jobName: `Newsletter ${at}` })
    const page = await test.open('/')
    await page.locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('dialog [role=combobox]:focus').waitFor()
    // Nobody waits for the results.
    await page.keyboard.type('AUTUMN')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/jobs/${jobId}`)
  })
})
