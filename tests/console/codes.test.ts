/**
 * The page Analysis codes in a real browser: levels and codes, hidden ones, which jobs use them.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { axe, hasBrowser, inViews, overflow, useConsole } from './console.ts'
import { hostileNames, ranNothing, watchCalls } from './hostile-names.ts'

if (!hasBrowser)
  it.skip('needs /usr/bin/chromium; scripts/install-services.sh installs it on Debian')

describe.skipIf(!hasBrowser)('the page Analysis codes', () => {
  const test = useConsole()
  const call = async (method: string, path: string, body?: unknown) => {
    const got = await test.hub.call(method, `/v2${path}`, {
      as: 'demo-admin',
      ...(body !== undefined && { body }),
    })
    expect(got.status, JSON.stringify(got.body)).toBeLessThan(300)
    return got.body
  }
  const codes = async () =>
    (
      (await call('GET', '/settings/analysiscodes?includeHidden=true')) as {
        levels: { level: number; label: string; codes: { code: string; visible: boolean }[] }[]
      }
    ).levels
  beforeAll(async () => {
    await call('POST', '/settings/analysiscodes', { level: 1, code: 'MKT', label: 'Marketing' })
    await call('POST', '/settings/analysiscodes', { level: 1, code: 'IT', label: 'Technology' })
    await call('POST', '/settings/analysiscodes', { level: 2, code: 'SPRING', visible: false })
    await call('POST', '/jobs', { jobName: 'x', analysisCodes: [{ level: 1, code: 'MKT' }] })
  })

  inViews(
    'has no finding of axe and does not scroll sideways: $theme, $language, $width',
    async (view) => {
      const page = await test.open('/codes?hidden=1', view)
      await page.getByText('SPRING').waitFor()
      expect(await axe(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    },
  )

  it('shows levels with their codes, how many jobs use each, and hidden ones on demand', async () => {
    const page = await test.open('/codes')
    const row = (code: string) => page.locator('li').filter({ hasText: code }).last()
    await row('MKT').getByText('1 job').waitFor()
    await row('IT').getByText('not used').waitFor()
    expect(await page.getByText('SPRING').count()).toBe(0)
    await page.getByRole('button', { name: 'Show hidden' }).click()
    await row('SPRING').getByText('Hidden').waitFor()
    expect(page.url()).toContain('hidden=1')
    await page.getByLabel('Find a code or label').fill('techn')
    await page.getByText('MKT').waitFor({ state: 'detached' })
    await page.getByText('Technology').waitFor()
  })

  it('creates, changes and deletes; says in advance that a used code will be hidden instead', async () => {
    const page = await test.open('/codes')
    await page.getByText('Marketing').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('mkt')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('already has the code MKT').waitFor()
    await dialog.getByLabel('Code (required)').fill('LEGAL')
    await dialog.getByLabel('Label').fill('Law')
    await dialog.getByLabel('Level').selectOption('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Level 3').first().waitFor()
    await page.getByRole('button', { name: 'Change LEGAL' }).click()
    await dialog.getByLabel('Label').fill('Legal affairs')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Legal affairs').waitFor()
    await page.getByRole('button', { name: 'Delete MKT' }).click()
    await dialog.getByText('1 job uses this code, so it is hidden instead of deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('Marketing').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete LEGAL' }).click()
    await dialog.getByText('No job uses this code.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Legal affairs').waitFor({ state: 'detached' })
    const all = (await codes()).flatMap((level) => level.codes)
    expect(all.find(({ code }) => code === 'MKT')?.visible).toBe(false)
    expect(all.some(({ code }) => code === 'LEGAL')).toBe(false)
  })

  it('names a level and hides it', async () => {
    const page = await test.open('/codes')
    await page.getByRole('button', { name: 'Change level' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Label').fill('Cost centre')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Cost centre').waitFor()
    expect((await codes())[0]).toMatchObject({ level: 1, label: 'Cost centre' })
  })

  it('shows hostile codes and labels and runs none of them', async () => {
    for (const [at, name] of hostileNames.entries())
      await call('POST', '/settings/analysiscodes', {
        level: 5,
        code: `${at} ${name}`.slice(0, 40),
        label: name.slice(0, 100),
      })
    await call('PATCH', '/settings/analysislevels/5', { label: hostileNames[2]?.slice(0, 100) })
    const page = await test.open('/codes')
    const strange = watchCalls(page, test.hub.url)
    await page.reload()
    await page.getByText('Level 5').first().waitFor()
    await ranNothing(page, strange)
    await page.getByRole('button', { name: /^Delete 0/ }).click()
    await page.getByRole('dialog').waitFor()
    await ranNothing(page, strange)
  })
})
