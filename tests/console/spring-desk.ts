/**
 * A desk with work under way, for the pictures: a text that is half translated, one in review for
 * the second time, and open ones.
 */
import { expect } from 'vitest'
import type { TestHub } from '../hub.ts'
import { type DeskPerson, openDesk } from './desk-people.ts'

const paragraphs = [
  'Hello {name}, you have {count} items.',
  'Free returns within 30 days',
  '<b>Pay now</b> and save {amount} on your order before {date}.',
  'Choose a delivery day',
  'Delivery to {address} takes two to three working days.',
  'We never store your card number.',
  'Need help? Call {phone} or <a href="help">write to us</a>.',
  'Your basket',
]
const html = `<!doctype html>\n<html><body><h1>Your basket</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</body></html>\n`
const known = {
  pay: 'Pay now and save {amount} on your basket before {date}.',
  card: 'We never store your card numbers.',
}
const menu = { a: 'Your basket', b: 'Pay {amount} before {date}', c: 'Free returns within 30 days' }

type Written = {
  readonly target: readonly unknown[]
  readonly state?: 'DRAFT'
  readonly kept?: readonly object[]
}
export type SpringDesk = {
  readonly ana: DeskPerson
  readonly rita: DeskPerson
  readonly text: string
  readonly again: string
}

export async function seedSpringDesk(hub: TestHub): Promise<SpringDesk> {
  const desk = await openDesk(hub)
  const [ana, rita] = [
    await desk.person('translator', 'Ana Kim'),
    await desk.person('reviewer', 'Rita Berg'),
  ]
  const entries = [
    { language: 'en', text: 'order', status: 'PREFERRED' },
    { language: 'de', text: 'Bestellung', status: 'PREFERRED' },
  ]
  await hub.call('POST', '/v2/settings/terms', {
    as: 'demo-admin',
    body: { definition: 'What is bought', entries },
  })
  const dueDate = new Date(hub.inner.clock.now() + 6 * 86_400_000).toISOString()
  const must = async <T = object>(
    who: DeskPerson,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const got = await who.call<T>(method, path, { body })
    expect([path, got.status, got.body]).toEqual([path, 200, expect.anything()])
    return got.body
  }
  const write = async (task: string, texts: readonly Written[]) => {
    type Row = { segmentId: string; version: number }
    const { segments } = await must<{ segments: Row[] }>(ana, 'GET', `${task}/segments`)
    const changes = texts.map((text, at) => ({
      segmentId: segments[at]?.segmentId,
      version: segments[at]?.version,
      state: 'TRANSLATED',
      ...text,
    }))
    await must(ana, 'PUT', `${task}/segments`, { segments: changes })
    return segments
  }
  // What the memory knows comes from a job of last winter.
  const winter = await desk.job('Winter sale', { Checkout: { fields: known } })
  const sale = `/providers/${desk.manual}/jobs/${winter.jobId}/assetTasks/${winter.ids[0]}`
  await must(ana, 'POST', `${sale}/claim`)
  await write(sale, [
    {
      target: [
        'Jetzt bezahlen und vor ',
        { tag: 2 },
        ' ',
        { tag: 1 },
        ' bei Ihrem Warenkorb sparen.',
      ],
    },
    { target: ['Wir speichern Ihre Kartennummern nie.'] },
  ])
  await must(ana, 'POST', `${sale}/segments/deliver`)
  await must(rita, 'PUT', `/jobs/${winter.jobId}/requests/approve`, { requestIds: winter.ids })
  await hub.advance('10s')
  const first = await desk.job(
    'Spring campaign, product pages',
    { Checkout: { file: html, name: 'checkout.html' } },
    { dueDate },
  )
  const task = `/providers/${desk.manual}/jobs/${first.jobId}/assetTasks/${first.ids[0]}`
  await must(ana, 'POST', `${task}/claim`)
  await write(task, [
    { target: ['Ihr Warenkorb'] },
    { target: ['Hallo ', { tag: 1 }, ', Sie haben ', { tag: 2 }, ' Artikel.'] },
    { target: ['Kostenlose Rückgabe innerhalb von 14 Tagen'] },
    {
      target: [
        { tag: 1 },
        'Jetzt bezahlen',
        { tag: 2 },
        ' und ',
        { tag: 3 },
        ' bei Ihrer Bestellung sparen, vor',
      ],
      state: 'DRAFT',
    },
  ])
  const { jobId, ids } = await desk.job('Autumn app', { Menu: { fields: menu } }, { dueDate })
  const other = `/providers/${desk.manual}/jobs/${jobId}/assetTasks/${ids[0]}`
  const request = `/jobs/${jobId}/requests/${ids[0]}`
  const deliver = async (word: string) => {
    const segments = await write(other, [
      { target: ['Ihr Warenkorb'] },
      { target: ['Zahlen Sie ', { tag: 1 }, ` ${word} `, { tag: 2 }] },
      {
        target: ['Kostenlose Rückgabe innerhalb von 14 Tagen'],
        kept: [{ check: 'numbers', reason: 'Agreed with the customer' }],
      },
    ])
    await must(ana, 'POST', `${other}/segments/deliver`)
    return segments.map(({ segmentId }) => `${request}/segments/${segmentId}/review`)
  }
  await must(ana, 'POST', `${other}/claim`)
  const [, second = ''] = await deliver('vor')
  const wrong = { verdict: 'WRONG', type: 'ACCURACY', severity: 'MAJOR', note: 'Say: bis zum' }
  await must(rita, 'PUT', second, wrong)
  await must(rita, 'PUT', `/jobs/${jobId}/requests/reject`, { requestIds: ids })
  const [verdict = ''] = await deliver('bis zum')
  await must(rita, 'PUT', verdict, { verdict: 'OK' })
  await desk.job(
    'Help centre, March',
    { 'How to pay': { fields: menu }, Returns: { fields: menu } },
    { dueDate },
  )
  const at = (job: string, id: string | undefined) => `/work/${desk.manual}/${job}/${id}`
  return {
    ana,
    rita,
    text: `${at(first.jobId, first.ids[0])}?seg=4`,
    again: `${at(jobId, ids[0])}?as=review&seg=2`,
  }
}
