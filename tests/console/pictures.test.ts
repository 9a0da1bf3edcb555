/**
 * The pictures of docs/console.md and docs/README.md: each page with the job of spring-campaign.ts.
 * A page must still look roughly like its picture: fonts and ids differ between machines, a blank
 * or unstyled page differs far more. `PICTURES=write npm test -- tests/console/pictures.test.ts`
 * takes all of them again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestHub } from '../hub.ts'
import { hasBrowser, useConsole } from './console.ts'
import { type SpringCampaign, seedSpringCampaign } from './spring-campaign.ts'
import { type SpringDesk, seedSpringDesk } from './spring-desk.ts'

const folder = new URL('../../docs/pictures/', import.meta.url)
const isWriting = process.env.PICTURES === 'write'

/** The name of each picture and the path of its page. */
const pictures: readonly { name: string; path: (job: SpringCampaign) => string; theme?: 'dark' }[] =
  [
    { name: 'jobs', path: () => '/' },
    { name: 'job', path: ({ jobId }) => `/jobs/${jobId}` },
    { name: 'job-dark', path: ({ jobId }) => `/jobs/${jobId}`, theme: 'dark' },
    { name: 'new-job', path: () => '/jobs/new' },
    { name: 'deliveries', path: () => '/deliveries' },
    { name: 'listeners', path: () => '/listeners' },
    { name: 'calls', path: () => '/calls' },
    { name: 'health', path: () => '/health' },
    { name: 'sandbox', path: () => '/sandbox' },
    { name: 'reports', path: () => '/reports' },
    { name: 'providers', path: () => '/providers' },
    { name: 'routing', path: () => '/routing' },
    { name: 'prices', path: () => '/prices' },
    { name: 'codes', path: () => '/codes' },
    { name: 'access', path: () => '/access' },
    { name: 'me', path: () => '/me' },
    { name: 'docs-call', path: () => '/docs/calls/createJob' },
  ]

async function seedRules(hub: TestHub): Promise<void> {
  const add = async (name: string) =>
    (
      await hub.call('POST', '/v2/providers', {
        as: 'demo-admin',
        body: { name, typeId: 'manual' },
      })
    ).body.id
  const [legal, agency] = [await add('Legal'), await add('Agency')]
  const rules = [
    { name: 'Contracts', when: { labels: 'legal', target: ['de', 'fr'] }, providerId: legal },
    {
      name: 'Short texts',
      when: { source: 'en', words: { max: 500 }, band: { name: 'New', min: 50 } },
      providerId: agency,
    },
    { name: 'Gold', when: { extendedMetadata: { tier: 'gold' } }, providerId: legal },
    { name: 'Everything else', providerId: agency },
  ]
  await hub.call('PUT', '/v2/settings/routing', { as: 'demo-admin', body: { version: 0, rules } })
}

/** By how much the mean brightness of two thumbnails may differ, from 0 to 1. */
const mayDiffer = 0.06

describe.skipIf(!hasBrowser)('the pictures of the console', () => {
  const test = useConsole()
  let job: SpringCampaign
  beforeAll(async () => {
    job = await seedSpringCampaign(test.hub)
    await test.hub.call('POST', '/sandbox/seed', { body: { jobs: 24 } })
    await seedRules(test.hub)
  })
  afterAll(() => job?.close())

  it.each(pictures)('$name', async ({ name, path, theme }): Promise<void> => {
    const page = await test.open(path(job), { theme: theme ?? 'light' })
    await settled(page)
    await mustLookLike(page, name)
  })
})

/** The name of each picture of the desk, whose page it is, and its path. */
const ofDesk: readonly {
  name: string
  by: 'ana' | 'rita'
  path: (desk: SpringDesk) => string
  shows: string
}[] = [
  { name: 'work', by: 'ana', path: () => '/work?view=open', shows: '[role=row][data-index]' },
  { name: 'workbench', by: 'ana', path: ({ text }) => text, shows: 'aside kbd' },
  { name: 'review', by: 'rita', path: ({ again }) => again, shows: '[data-segment="2"] ins' },
]

describe.skipIf(!hasBrowser)('the pictures of the desk', () => {
  const test = useConsole({ database: 'sqlite' })
  let desk: SpringDesk
  beforeAll(async () => {
    desk = await seedSpringDesk(test.hub)
  })

  it.each(ofDesk)('$name', async ({ name, by, path, shows }): Promise<void> => {
    const page = await test.open(path(desk), { cookies: desk[by].cookies })
    await page.locator(shows).first().waitFor()
    await settled(page)
    await mustLookLike(page, name)
  })
})

/** Takes the picture again if all are taken again. */
async function mustLookLike(page: Page, name: string): Promise<void> {
  const taken = await page.screenshot({ animations: 'disabled' })
  const file = new URL(`${name}.png`, folder)
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, taken)
  }
  expect(existsSync(file), `docs/pictures/${name}.png is missing`).toBe(true)
  expect(await difference(page, taken, readFileSync(file))).toBeLessThan(mayDiffer)
}

/** Waits for the title, and until nothing loads. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.waitForFunction(
    () => !document.querySelector('[aria-busy=true]') && document.fonts.status === 'loaded',
  )
}

/**
 * Compared in the browser, which reads PNG, on an empty page, which has no content security policy.
 */
async function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const bench = await page.context().newPage()
  const urls = [one, other].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`)
  return bench.evaluate(async (given) => {
    const [width, height] = [64, 40]
    const stamps = await Promise.all(
      given.map(async (url) => {
        const picture = new Image()
        picture.src = url
        await picture.decode()
        const canvas = new OffscreenCanvas(width, height)
        const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
        pen.imageSmoothingQuality = 'high'
        pen.drawImage(picture, 0, 0, width, height)
        const { data } = pen.getImageData(0, 0, width, height)
        return Array.from({ length: width * height }, (_, at) => {
          const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3)
          return (red + green + blue) / 765
        })
      }),
    )
    const [first = [], second = []] = stamps
    return (
      first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length
    )
  }, urls)
}
