/**
 * Every page from a table: with forced colours, at 320 px (WCAG 1.4.10), with its first act, and in
 * the pseudo-locale. On PostgreSQL, where there is one; the tests of each page run on SQLite. One
 * browser page walks through all of them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampled } from '../draws.ts'
import { databases } from '../hub.ts'
import { hasBrowser, overflow, settled, useConsole } from './console.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'

type PageCase = {
  readonly name: string
  readonly path: string
  /** The first thing that a person does there, and what it then shows. */
  readonly act: (page: Page) => Promise<unknown>
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const firstRow = (page: Page) => page.locator('[role=row][data-index]').first()
const beside = (page: Page) => page.getByRole('complementary').waitFor()
const openFirst = async (page: Page) => {
  await firstRow(page).click()
  await beside(page)
}
const create = async (page: Page) => {
  await page.keyboard.press('n')
  await page.getByRole('dialog').waitFor()
}

const pages: readonly PageCase[] = [
  { name: 'Jobs', path: '/', act: (page) => page.getByText('Spring campaign').first().waitFor() },
  {
    name: 'Board',
    path: '/?as=board&view=all',
    act: (page) => page.locator('[data-card]').first().waitFor(),
  },
  { name: 'Job', path: '/jobs/JOB', act: (page) => page.getByText('Everything').first().waitFor() },
  { name: 'Requests', path: '/jobs/JOB/requests', act: openFirst },
  { name: 'Cost', path: '/jobs/JOB/cost', act: (page) => page.getByText('EUR').first().waitFor() },
  {
    name: 'New job',
    path: '/jobs/new',
    act: (page) => page.getByLabel('Name').first().fill('By hand'),
  },
  { name: 'Work', path: '/work?view=review', act: (page) => firstRow(page).waitFor() },
  { name: 'Team', path: '/work/team', act: (page) => firstRow(page).waitFor() },
  { name: 'Reports', path: '/reports', act: (page) => page.locator('main svg').first().waitFor() },
  {
    name: 'A report',
    path: '/reports/time-in-state',
    act: (page) => page.getByText('Manual').first().waitFor(),
  },
  { name: 'Deliveries', path: '/deliveries', act: openFirst },
  { name: 'Listeners', path: '/listeners', act: create },
  { name: 'Calls', path: '/calls', act: openFirst },
  { name: 'Health', path: '/health', act: (page) => button(page, 'Check again').click() },
  { name: 'Tasks', path: '/health/tasks', act: (page) => button(page, 'Parked').click() },
  {
    name: 'Nodes',
    path: '/health/nodes',
    act: (page) => page.getByText('Running').first().waitFor(),
  },
  {
    name: 'Storage',
    path: '/health/storage',
    act: (page) => page.getByText('Stored bytes').first().waitFor(),
  },
  { name: 'Audit', path: '/health/audit', act: openFirst },
  {
    name: 'Backups',
    path: '/health/backups',
    act: (page) => page.getByText('This hub').first().waitFor(),
  },
  { name: 'Sandbox', path: '/sandbox', act: (page) => button(page, '+1 h').click() },
  { name: 'Providers', path: '/providers', act: openFirst },
  { name: 'Routing', path: '/routing', act: create },
  { name: 'Prices', path: '/prices', act: (page) => page.getByText('EUR').first().waitFor() },
  { name: 'Codes', path: '/codes', act: create },
  { name: 'Clients', path: '/access', act: openFirst },
  { name: 'People', path: '/access/people', act: openFirst },
  {
    name: 'Sessions',
    path: '/access/sessions',
    act: (page) => page.locator('main [role=grid], main p').first().waitFor(),
  },
  {
    name: 'My settings',
    path: '/me',
    act: (page) => page.getByLabel('Name', { exact: true }).waitFor(),
  },
]

describe.skipIf(!hasBrowser)('every page of the console', () => {
  const test = useConsole({ database: databases.at(-1) ?? 'sqlite' })
  let job: SpringCampaign
  beforeAll(async () => {
    job = await seedSpringCampaign(test.hub)
  })
  afterAll(() => job?.close())

  /** Goes from page to page and returns what was found, with the name of the page. */
  async function walk(
    page: Page,
    rows: readonly PageCase[],
    look: (row: PageCase) => Promise<readonly string[]>,
  ): Promise<string[]> {
    const found: string[] = []
    for (const row of rows) {
      await page.goto(test.hub.url + row.path.replace('JOB', job.jobId))
      await page.locator('h1').waitFor()
      await settled(page)
      found.push(...(await look(row)).map((one) => `${row.name}: ${one}`))
    }
    return found
  }

  it('marks what is current with forced colours, does not scroll sideways at 320 px, and does its first act', async () => {
    const page = await test.open('/')
    const found = await walk(page, pages, async ({ act }) => {
      await page.emulateMedia({ forcedColors: 'active' })
      const marks = await page.evaluate(unmarked)
      await page.emulateMedia({ forcedColors: null })
      await page.setViewportSize({ width: 320, height: 640 })
      await settled(page)
      const over = await overflow(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await settled(page)
      await act(page)
      const alerts = await page.getByRole('alert').allTextContents()
      return [
        ...marks,
        ...(over > 0 ? [`${over} px too wide`] : []),
        ...alerts.filter((text) => text.trim() !== ''),
      ]
    })
    expect(found).toEqual([])
  })

  it('has every text in a catalogue, and cuts off no longer one', async () => {
    const page = await test.open('/', { language: 'en-XA' })
    const look = async () => [...(await page.evaluate(untranslated)), ...(await page.evaluate(cut))]
    const found = await walk(page, sampled(pages, 8), look)
    expect(found).toEqual([])
  })
})

/**
 * Our own texts that no catalogue has: the pseudo-locale would have changed them. Texts of people
 * and of the hub are marked up.
 */
function untranslated(): string[] {
  const theirs =
    'bdi, code, pre, kbd, time, option, textarea, svg, b, [lang]:not(html), [dir]:not(html), .mono, .num, [role=gridcell]'
  // Names: of the product, of seeded rows, of languages.
  const names = /^(Dragoman|Cost centre|Manual|sandbox|American English|German \(Germany\))$/
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = new Set<string>()
  while (nodes.nextNode()) {
    const text = nodes.currentNode.textContent?.trim() ?? ''
    const parent = nodes.currentNode.parentElement
    if (
      !parent ||
      names.test(text) ||
      parent.closest(theirs) ||
      parent.closest('script, style, noscript')
    )
      continue
    if (/[a-z]{4}/.test(text) && /[aeioucny]/.test(text) && !/[áëïôüçñý~]/.test(text))
      found.add(`not translated: ${text}`)
  }
  return [...found]
}

/** Texts of the catalogue that are cut off: the pseudo-locale is a third longer. */
function cut(): string[] {
  return [...document.querySelectorAll<HTMLElement>('nav *, main *')].flatMap((element) => {
    const own = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.includes('~'),
    )
    const { overflowX, textOverflow } = getComputedStyle(element)
    const isCut =
      element.scrollWidth > element.clientWidth + 1 &&
      (overflowX !== 'visible' || textOverflow === 'ellipsis')
    // A heading of a list may be cut: its title has the whole text.
    if (element.closest('[role=columnheader][title]')) return []
    return own && isCut && element.clientWidth > 0 && !element.closest('.unseen')
      ? [`cut: ${element.textContent}`]
      : []
  })
}

/** Elements that only a colour marks as current or chosen; forced colours replace it. */
function unmarked(): string[] {
  return [
    ...document.querySelectorAll<HTMLElement>(
      '[aria-current=page], [aria-pressed=true], [role=row][aria-selected=true]',
    ),
  ]
    .filter(
      (element) => element.clientWidth > 0 && getComputedStyle(element).outlineStyle !== 'solid',
    )
    .map((element) => `not marked: ${element.outerHTML.slice(0, 120)}`)
}
