/** Jobs of twelve weeks with their moves and quotes, the same every time, for the page Reports. */
import type { Quote } from '@dragoman/contract'
import type { Insertable } from 'kysely'
import { newId, newJobId } from '../../packages/server/src/store/ids.ts'
import type { Tables } from '../../packages/server/src/store/tables.ts'
import type { TestHub } from '../hub.ts'
import { bands, prices, quoting } from '../quoting.ts'
import { jobRow } from '../store-fixtures.ts'

const day = 86_400_000
const hour = 3_600_000
export const hostile = `=HYPERLINK("x")<img src=x onerror=alert(1)>`

/** Seven jobs per week for three providers, in EUR; one per month in JPY. */
export async function fillReports(hub: TestHub): Promise<{ total: string; jobs: number }> {
  const at = quoting(hub)
  const { priceListId } = await at.setPrices()
  const { providers } = await at.must<{ providers: { id: string; name: string }[] }>(
    200,
    'GET',
    '/providers',
  )
  const named = await at.must<{ id: string }>(
    201,
    'POST',
    '/providers',
    { name: hostile, typeId: 'manual' },
    'demo-admin',
  )
  const ids = [...providers.map(({ id }) => id), named.id].slice(-3)
  const now = hub.inner.clock.now()
  const jobs: Insertable<Tables['jobs']>[] = []
  const requests: Insertable<Tables['requests']>[] = []
  const moves: Insertable<Tables['moves']>[] = []
  const quotes: Insertable<Tables['job_quotes']>[] = []
  let cents = 0
  let counted = 0
  for (let back = 80; back >= 1; back -= 1) {
    const job_id = newJobId()
    const site_id = 'demo'
    const submittedAt = now - back * day
    const long = (back % 7) + 1
    const due = submittedAt + 5 * day
    const isDone = back > 6
    const own = {
      job_id,
      site_id,
      status: isDone ? ('COMPLETED' as const) : ('IN_TRANSLATION' as const),
    }
    const provider_id = ids[back % ids.length] ?? ''
    const times = {
      submitted_at: submittedAt,
      modified_at: submittedAt + long * day,
      due_at: due,
      provider_id,
    }
    jobs.push({ ...jobRow({ created_at: submittedAt }), ...own, ...times })
    const requestIds = ['de-de', 'fr-fr', 'ja-jp']
      .slice(0, 1 + (back % 3))
      .map((target_language, position) => {
        const request_id = newId()
        requests.push({
          ...{
            job_id,
            site_id,
            request_id,
            position: position + 1,
            request_name: 'r',
            status: 'IN_TRANSLATION',
          },
          ...{
            has_error: 0,
            source_native_id: 's',
            source_language: 'en-us',
            target_language,
            created_at: 1,
          },
          ...{ modified_at: 1, cause_id: 'c', word_count: 300 },
        })
        return request_id
      })
    const step = (move: string, from_status: string, to_status: string, moved_at: number) => {
      const request_ids = move === 'complete' ? null : JSON.stringify(requestIds)
      if (moved_at < now)
        moves.push({
          job_id,
          site_id,
          move_id: newId(),
          request_ids,
          move,
          from_status,
          to_status,
          moved_at,
          cause_id: 'c',
        })
    }
    step('submit', 'CREATED', 'SENDING', submittedAt)
    step('sent', 'SENDING', 'SENT_TO_PROVIDER', submittedAt + 1_000)
    step('start', 'SENT_TO_PROVIDER', 'IN_TRANSLATION', submittedAt + long * 3 * hour)
    step('deliver', 'IN_TRANSLATION', 'REVIEW_TRANSLATION', submittedAt + long * day)
    if (back % 9 === 0) {
      step('reject', 'REVIEW_TRANSLATION', 'TRANSLATION_REJECTED', submittedAt + long * day + hour)
      step(
        'deliver',
        'TRANSLATION_REJECTED',
        'REVIEW_TRANSLATION',
        submittedAt + long * day + 9 * hour,
      )
    }
    step(
      'approve',
      'REVIEW_TRANSLATION',
      'TRANSLATION_APPROVED',
      submittedAt + long * day + 20 * hour,
    )
    if (isDone)
      step('complete', 'IN_TRANSLATION', 'COMPLETED', submittedAt + long * day + 21 * hour)
    if (back % 10 === 0) continue
    const currency = back % 28 === 3 ? 'JPY' : 'EUR'
    const amount = back * 137 + 11
    if (currency === 'EUR') cents += amount
    counted += 1
    const total =
      currency === 'EUR'
        ? `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
        : `${amount}`
    const line = {
      ...{
        requestId: requestIds[0] ?? '',
        service: 'Translation',
        unit: 'Word',
        unitPrice: '0.125',
        amount: total,
      },
      bands: bands.map(({ name, factor }, place) => ({
        ...{ name, factor, segments: 1, characters: 10, amount: '0.00' },
        words: (back * (place + 3)) % 400,
      })),
      priceLine: { sourceLanguage: 'en-us', targetLanguage: '*' },
    }
    const quote = {
      jobId: job_id,
      currency,
      priceListId,
      total,
      complete: true,
      lines: [line],
    } as unknown as Quote
    quotes.push({
      job_id,
      site_id,
      quote: JSON.stringify(quote),
      quoted_at: submittedAt,
      cause_id: 'c',
    })
  }
  await fillDeliveries(hub, now)
  await fillUsage(hub, now, String(jobs[0]?.job_id), String(jobs[0]?.provider_id))
  await hub.inner.db.transact(async (tx) => {
    await tx.insertInto('jobs').values(jobs).execute()
    await tx.insertInto('requests').values(requests).execute()
    await tx.insertInto('moves').values(moves).execute()
    await tx.insertInto('job_quotes').values(quotes).execute()
  })
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',')
  return {
    total: `${whole}.${String(cents % 100).padStart(2, '0')} ${prices.currency}`,
    jobs: counted,
  }
}

/** One listener, and 20 deliveries that took 1 to 20 ms. */
async function fillDeliveries(hub: TestHub, now: number): Promise<void> {
  await hub.inner.db.transact(async (tx) => {
    const listener_id = 'latency'
    await tx
      .insertInto('listeners')
      .values({
        ...{
          listener_id,
          site_id: 'demo',
          client_id: 'demo-connector',
          side: 'connector',
          auth_type: 'NONE',
        },
        ...{
          type: 'REQUEST_STATUS_UPDATED',
          request_uri: 'https://cms.example/hook',
          acknowledges: 1,
          disabled: 0,
        },
        ...{
          on_support_asset: 0,
          on_tm_update: 0,
          sealed_secret: 'x',
          created_at: 1,
          modified_at: 1,
        },
      })
      .execute()
    for (let took = 1; took <= 20; took += 1) {
      const { position, job_id } = await tx
        .insertInto('deliveries')
        .values({
          ...{
            delivery_id: newId(),
            listener_id,
            site_id: 'demo',
            event_type: 'REQUEST_STATUS_UPDATED',
            uri: 'x',
          },
          ...{
            job_id: newJobId(),
            body: '{}',
            state: 'DELIVERED',
            created_at: now - took * hour,
            attempts: 1,
          },
          cause_id: 'c',
        })
        .returning(['position', 'job_id'])
        .executeTakeFirstOrThrow()
      const attempt = {
        position,
        job_id,
        number: 1,
        attempted_at: now - took * hour,
        duration_ms: took,
      }
      await tx.insertInto('attempts').values(attempt).execute()
    }
  })
}

/** Two engines, today and 40 days ago; one bills tokens. */
async function fillUsage(
  hub: TestHub,
  now: number,
  job_id: string,
  provider_id: string,
): Promise<void> {
  const today = Math.floor(now / day) * day
  const none = { held_at: null, held_by: null, held_because: null, site_id: 'demo' }
  const rows = [
    {
      provider_id,
      day: today,
      unit: 'CHARACTERS',
      estimated: 6_000,
      billed: 5_900,
      saved: 1_200,
      requests: 20,
    },
    {
      provider_id,
      day: today - 40 * day,
      unit: 'CHARACTERS',
      estimated: 3_000,
      billed: null,
      saved: 0,
      requests: 10,
    },
    {
      provider_id: 'chat',
      day: today,
      unit: 'TOKENS',
      estimated: 700,
      billed: 700,
      saved: 0,
      requests: 3,
    },
  ] as const
  await hub.inner.db.transact(async (tx) => {
    for (const row of rows)
      for (const job of ['*', job_id])
        await tx
          .insertInto('engine_usage')
          .values({ ...row, ...none, job_id: job, characters: row.estimated })
          .execute()
  })
}
