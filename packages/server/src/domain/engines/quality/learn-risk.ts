/**
 * A site teaches the risk of its machine translations by its verdicts and edits, by pair of
 * languages. What is kept of each are the numbers that the model reads, never the text. Learning
 * runs in the background and in a thread; nothing of one site reaches another.
 */
import type { TextParts } from '@dragoman/contract'
import { featuresOf, plainCount, type RiskText } from '@dragoman/text/risk'
import type { Change, Hub } from '../../../hub.ts'
import type { RiskVerdictRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { runSafely } from '../../language/worker/run.ts'
import type { Learned } from './learn-work.ts'
import { readNumbers, writeNumbers } from './numbers.ts'
import {
  type OfPair,
  removeOldVerdicts,
  selectVerdicts,
  writeLearned,
  writeVerdicts,
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
type Languaged<P> = { readonly place: P; readonly languages: Languages }

/** A suggestion that people took as it was, or wrote anew. */
export type MachineEdit = {
  readonly segmentId: string
  readonly source: TextParts
  readonly suggested: TextParts
  readonly isBad: boolean
}

/** The numbers of texts of a machine, before the transaction that keeps what people say of them. */
async function openMeter(hub: Hub, languages: Languages) {
  const { id, pairs } = await openRiskModel()
  const { source, target } = pairOf(languages)
  const model = pairs.get(nameOf({ source, target }))
  return (place: Place, text: RiskText, isBad: boolean): RiskVerdictRow => ({
    ...place,
    ...{ source_language: source, target_language: target, model: id },
    features: writeNumbers(featuresOf(text, model?.tables).subarray(0, plainCount)),
    is_bad: isBad ? 1 : 0,
    given_at: hub.clock.now(),
  })
}

export async function measureVerdict(
  hub: Hub,
  { place, languages }: Languaged<Place>,
  text: RiskText | undefined,
  isBad: boolean,
): Promise<RiskVerdictRow[]> {
  return text ? [(await openMeter(hub, languages))(place, text, isBad)] : []
}

export async function measureEdits(
  hub: Hub,
  { place, languages }: Languaged<Omit<Place, 'segment_id'>>,
  edits: readonly MachineEdit[],
): Promise<RiskVerdictRow[]> {
  if (edits.length === 0) return []
  const measure = await openMeter(hub, languages)
  const pause = openPauses()
  const rows: RiskVerdictRow[] = []
  for (const { segmentId, source, suggested, isBad } of edits) {
    const text = { source: plainText(source), target: plainText(suggested) }
    rows.push(measure({ ...place, segment_id: segmentId }, text, isBad))
    await pause()
  }
  return rows
}

export const plainText = (text: TextParts): string =>
  text.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('')

/** Keeps what was said of texts, and learns from it soon. */
export async function teach(
  { hub, tx, causeId }: Change,
  rows: readonly RiskVerdictRow[],
): Promise<void> {
  await writeVerdicts(tx, rows)
  const now = hub.clock.now()
  const tasks = rows.map(
    ({ site_id: siteId, source_language: source, target_language: target }) => ({
      name: learnTask,
      payload: { siteId, source, target },
      siteId,
      key: `${learnTask}:${siteId}:${source}-${target}`,
      dueAt: now + learnsAfterMs,
      causeId,
    }),
  )
  // One for each pair: of tasks with the same key one is added.
  await addTasks(hub.db, tx, now, tasks)
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
