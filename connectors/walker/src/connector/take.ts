/** Takes translations that have come, and lets a person review them and choose between two texts. */
import { type Conflict, choose, type Known, mayPublish, merge, type Texts } from '../rules.ts'
import type { Entry, Hub, Row, Sent, Writing } from './ports.ts'
import { isPassing, refusal, sentenceOf } from './refusal.ts'
import { withSent } from './rows.ts'
import type { Parts } from './send.ts'

/** Looks at a request in the hub and brings its row up to date; unknown ones are none of ours. */
export async function takeRequest(
  parts: Parts,
  hub: Hub,
  { jobId, requestId }: { readonly jobId: string; readonly requestId: string },
): Promise<void> {
  const row = await parts.rows.ofRequest(requestId)
  const sent = row?.sent.find((one) => one.requestId === requestId)
  if (!row || !sent) return
  const request = await hub.findRequest({ params: { jobId, requestId } })
  const { failed: _, ...well } = row
  switch (request.statusCode) {
    case 'REVIEW_TRANSLATION':
    case 'TRANSLATION_APPROVED': {
      const isApproved = request.statusCode === 'TRANSLATION_APPROVED'
      // What a person approved here has been taken before.
      const texts =
        isApproved && (sent.phase === 'IN_REVIEW' || sent.phase === 'APPROVED')
          ? undefined
          : await hub.fields({ jobId, requestId })
      const now = withSent(well, { ...sent, phase: isApproved ? 'APPROVED' : 'IN_REVIEW' })
      return texts ? arrive(parts, now, { sent, texts }) : parts.rows.save(now)
    }
    case 'CANCELLED':
      return parts.rows.save({
        ...withSent(well, { ...sent, phase: 'FAILED' }),
        failed: 'The translation was cancelled in the hub. Send the entry again.',
      })
    default: {
      const now = withSent(well, { ...sent, phase: 'IN_TRANSLATION' })
      const failed = request.hasError ? request.latestErrorMessage : undefined
      return parts.rows.save(failed === undefined ? now : { ...now, failed })
    }
  }
}

type Arrival = { readonly sent: Sent; readonly texts: Texts }

async function arrive(parts: Parts, row: Row, { sent, texts }: Arrival): Promise<void> {
  const { system, rows, settings } = parts
  const source = await system.source(row)
  if (!source)
    return rows.save({ ...row, failed: 'The entry was deleted while it was in translation.' })
  const target = await system.target(row, row.language)
  const arrived = sent.texts.flatMap((one) => {
    const text = Object.hasOwn(texts, one.path) ? texts[one.path] : undefined
    return text === undefined || text.trim() === '' ? [] : [{ ...one, text }]
  })
  const merged = merge({ source: source.texts, target, known: row.known }, arrived)
  const settled = new Set(arrived.map(({ path }) => path))
  const conflicts = [
    ...row.conflicts.filter(({ path }) => !settled.has(path) && path in source.texts),
    ...merged.conflicts,
  ]
  const told = merged.gone.length > 0 ? goneSentence(merged.gone) : undefined
  const { publish } = await settings()
  await write(
    parts,
    { ...rowWith(row, told), known: merged.known, conflicts },
    {
      texts: merged.write,
      ours: textsOf(row),
      publish: mayPublish(publish, { ...merged, conflicts }),
    },
  )
}

const goneSentence = (paths: readonly string[]): string =>
  `The source no longer has these texts, so their translations were not written: ${paths
    .slice(0, 20)
    .join(', ')}.`

function rowWith({ told: _, ...row }: Row, told: string | undefined): Row {
  return told === undefined ? row : { ...row, told }
}

/**
 * The row first: if the process ends before the text is written, the same delivery finds what was
 * there before, and takes it for nobody's edit.
 */
async function write(
  { system, rows }: Parts,
  row: Row,
  { texts, ours, publish }: Omit<Writing, 'entry' | 'language'>,
): Promise<void> {
  await rows.save(row)
  const { collection, id, language } = row
  try {
    const entry = { collection, id }
    const left = await system.write({ entry, language, texts, ours, publish })
    const seen = await system.target(entry, language)
    const told = [row.told, left].filter((one) => one !== undefined).join(' ')
    await rows.save({
      ...rowWith(row, told === '' ? undefined : told),
      known: row.known.map((one) => asWritten(one, texts, seen)),
    })
  } catch (error) {
    if (isPassing(error)) throw error
    await rows.save({ ...row, failed: `The translation was not written: ${sentenceOf(error)}` })
  }
}

const textsOf = ({ known, conflicts }: Row): string[] => [
  ...known.flatMap(({ text, before }) => (before === undefined ? [text] : [text, before])),
  ...conflicts.map(({ theirs }) => theirs),
]

/** The system may write a text in its own way, such as with other blanks. */
function asWritten(one: Known, texts: Texts, seen: Texts): Known {
  const found = seen[one.path]
  if (texts[one.path] !== one.text || found === undefined) return one
  return { path: one.path, source: one.source, text: found }
}

export type Verdict = Entry & {
  readonly language: string
  readonly verdict: 'APPROVED' | 'REJECTED'
  readonly note?: string
}

export async function review(parts: Parts, hub: Hub, given: Verdict): Promise<void> {
  const row = await parts.rows.find(given, given.language)
  const sent = row.sent.findLast(({ phase }) => phase === 'IN_REVIEW')
  const { jobId, requestId } = sent ?? {}
  if (!sent || jobId === undefined || requestId === undefined)
    throw refusal(409, 'There is no translation to review for this entry and language.')
  const isApproved = given.verdict === 'APPROVED'
  if (isApproved) await hub.approve(jobId, [requestId])
  else {
    const body = { requestIds: [requestId], note: given.note ?? '' }
    await hub.rejectRequests({ params: { jobId }, body })
  }
  const phase = isApproved ? 'APPROVED' : 'IN_TRANSLATION'
  await parts.rows.save(withSent(row, { ...sent, phase }))
}

export type Choice = Entry & {
  readonly language: string
  readonly keep: 'MINE' | 'THEIRS'
  readonly path?: string
}

export async function chooseText(parts: Parts, { keep, path, ...place }: Choice): Promise<void> {
  const row = await parts.rows.find(place, place.language)
  const isThere = (one: Conflict) => path === undefined || one.path === path
  if (!row.conflicts.some(isThere))
    throw refusal(409, 'There is nothing to choose for this entry and language.')
  const chosen = choose(row.conflicts, keep, path)
  const next = { ...row, conflicts: chosen.conflicts }
  if (Object.keys(chosen.write).length === 0) return parts.rows.save(next)
  const source = await parts.system.source(row)
  if (!source) throw refusal(409, 'The entry does not exist any more.')
  const target = await parts.system.target(row, row.language)
  const now = merge({ source: source.texts, target, known: row.known }, [])
  const before = (one: Known): Known =>
    chosen.write[one.path] === undefined ? one : { ...one, before: target[one.path] ?? '' }
  const { publish } = await parts.settings()
  const texts = { ...now.write, ...chosen.write }
  await write(
    parts,
    { ...next, known: now.known.map(before) },
    {
      texts,
      ours: textsOf(row),
      publish: mayPublish(publish, { write: texts, conflicts: next.conflicts }),
    },
  )
}
