/**
 * A site teaches the risk of its machine translations by its verdicts, by pair of languages. What is
 * kept of a verdict are the numbers that the model reads, never the text. Learning runs in the
 * background and in a thread; nothing of one site reaches another.
 */
import { featuresOf, plainCount, type RiskText } from '@dragoman/text/risk'
import type { Change, Hub } from '../../../hub.ts'
import type { RiskVerdictRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'
import { runSafely } from '../../language/worker/run.ts'
import type { Learned } from './learn-work.ts'
import { readNumbers, writeNumbers } from './numbers.ts'
import {
  type OfPair,
  removeOldVerdicts,
  removeVerdict,
  selectVerdicts,
  writeLearned,
  writeVerdict,
} from './quality-rows.ts'
import { type Languages, nameOf, openRiskModel, type Pair, pairOf } from './risk-model.ts'

export const learnTask = 'learn-risk'
/** Many verdicts are learned from at once. */
const learnsAfterMs = 20_000
/** With fewer the shipped model stands. */
export const fewestVerdicts = 30
/** Older ones are forgotten. */
const mostVerdicts = 4_000

const module = new URL('./learn-work.ts', import.meta.url)

type Place = Pick<RiskVerdictRow, 'site_id' | 'job_id' | 'request_id' | 'segment_id'>
/** What is kept of a verdict; `text` is absent if it was not about a machine's. */
export type Taught = { readonly place: Place; readonly row?: RiskVerdictRow }

/** Measures a text of a machine before the transaction that keeps the verdict on it. */
export async function measureVerdict(
  hub: Hub,
  place: Place,
  about: { readonly languages: Languages; readonly text: RiskText | undefined },
): Promise<Taught> {
  const { languages, text } = about
  if (!text) return { place }
  const { id, pairs } = await openRiskModel()
  const { source, target } = pairOf(languages)
  const features = featuresOf(text, pairs.get(nameOf({ source, target }))?.tables)
  const row = {
    ...place,
    source_language: source,
    target_language: target,
    model: id,
    features: writeNumbers(features.subarray(0, plainCount)),
    is_bad: 0 as const,
    given_at: hub.clock.now(),
  }
  return { place, row }
}

/** Keeps a verdict and learns from it soon. */
export async function teach(
  { hub, tx, causeId }: Change,
  { place, row }: Taught,
  isBad: boolean,
): Promise<void> {
  if (!row) {
    await removeVerdict(tx, place)
    return
  }
  await writeVerdict(tx, { ...row, is_bad: isBad ? 1 : 0 })
  const { site_id: siteId, source_language: source, target_language: target } = row
  const now = hub.clock.now()
  const key = `${learnTask}:${siteId}:${source}-${target}`
  const payload = { siteId, source, target }
  await addTasks(hub.db, tx, now, [
    { name: learnTask, payload, siteId, key, dueAt: now + learnsAfterMs, causeId },
  ])
}

export async function learnRisk(hub: Hub, task: Task): Promise<'done'> {
  const { siteId, source, target } = task.payload as { siteId: string } & Pair
  const { id, pairs, form } = await openRiskModel()
  const pair = { source, target }
  const own: OfPair = { siteId, pair, model: id }
  const rows = await selectVerdicts(hub.db.read, own, mostVerdicts)
  if (rows.length < fewestVerdicts) return 'done'
  const features = new Float64Array(rows.length * plainCount)
  for (const [at, row] of rows.entries()) features.set(readNumbers(row.features), at * plainCount)
  const bad = Uint8Array.from(rows, ({ is_bad }) => is_bad)
  const fit = pairs.get(nameOf(pair))?.plain ?? form
  const args = [fit, features, bad]
  const { change, agreement } = await runSafely<Learned>(module, 'learnFrom', args, { siteId })
  await hub.db.transact(async (tx) => {
    await writeLearned(tx, {
      ...{ site_id: siteId, source_language: source, target_language: target, model: id },
      ...{ change: writeNumbers(change), verdicts: rows.length, agreement: agreement ?? null },
      learned_at: hub.clock.now(),
    })
    await removeOldVerdicts(tx, own, mostVerdicts)
  })
  return 'done'
}
