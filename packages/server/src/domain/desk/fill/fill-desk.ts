/**
 * Fills the open segments of one request, slice by slice, each in a transaction of its own: what
 * was filled stays, and a fill that is repeated goes on with the rest. A target that a person or a
 * program wrote is never touched, not even one that comes while it is filled.
 */
import type { Fill, Filling } from '@dragoman/contract'
import { joined } from '@dragoman/text/placeholders'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { DraftRow } from '../../../store/tables.ts'
import { sealNote } from '../../files/seals/notes.ts'
import type { OneRequest } from '../../jobs/requests/request.ts'
import { digestOf, emptyRow, openDraft, targetOf, versionOf } from '../describe-segment.ts'
import { readDrafts, writeDrafts } from '../drafts.ts'
import { openDesk } from '../open-desk.ts'
import { pathOf, type Walked, walkDesk } from '../walk-desk.ts'
import { type Filled, isCertain } from './filled-target.ts'
import { findTargets } from './find-targets.ts'
import type { FillEngine } from './open-fill-engine.ts'

export type Filler = {
  /** The engine that ENGINE asks; nobody asks one on a dry run. */
  readonly engine?: FillEngine | undefined
  readonly dryRun?: boolean | undefined
  /** Positions that this caller may write; absent: all. */
  readonly isOwn?: ((position: number) => boolean) | undefined
  /** Who fills, as the rows say it. */
  readonly changedBy: string
  /** Runs `write` in a transaction with the request locked, as it is now, if it may be filled. */
  readonly locked: (write: (tx: Db, request: OneRequest) => Promise<number>) => Promise<void>
}

type Change = {
  readonly one: Walked
  readonly target: NonNullable<Walked['draft']>['target'] & object
  readonly filled: Filled
  readonly isNew: boolean
}

const names = { MEMORY: 'memory', REPEATS: 'repeats', ENGINE: 'engine' } as const

export async function fillDesk(
  hub: Hub,
  request: OneRequest,
  { from, minimum = 100, confirm = false }: Pick<Fill, 'from' | 'minimum' | 'confirm'>,
  filler: Filler,
): Promise<Filling> {
  const desk = await openDesk(hub, request)
  const by = { memory: 0, repeats: 0, engine: 0 }
  let [filled, confirmed, left] = [0, 0, 0]
  const { engine, dryRun, isOwn } = filler
  const at = { hub, request, desk, minimum, engine: dryRun ? undefined : engine }
  for await (const slice of walkDesk(hub, request, desk)) {
    const own = isOwn ? slice.filter(({ place }) => isOwn(place + 1)) : slice
    const open = own.filter(({ segment, draft }) => !targetOf(segment, draft))
    const found = open.length > 0 ? await findTargets(at, from, open) : new Map()
    const changes: Change[] = own.flatMap((one) => {
      const { segment, draft } = one
      const now = found.get(segment.segmentId)
      if (now) return [{ one, ...now, isNew: true }]
      const before = confirm && draft?.state === 'DRAFT' ? draft.filled : undefined
      if (!before || !draft?.target || !isCertain(before)) return []
      return [{ one, target: draft.target, filled: before, isNew: false }]
    })
    const stateOf = (filled: Filled) => (confirm && isCertain(filled) ? 'TRANSLATED' : 'DRAFT')
    const written = dryRun
      ? new Set(changes)
      : await write(hub, filler, changes, ({ filled }) => stateOf(filled))
    for (const change of written) {
      if (change.isNew) {
        filled += 1
        by[names[change.filled.from]] += 1
      }
      if (stateOf(change.filled) === 'TRANSLATED') confirmed += 1
    }
    const rest = open.filter(({ segment }) => !found.has(segment.segmentId)).length
    // What somebody else wrote in the meantime has a target, too.
    left += rest
    if (dryRun && from.includes('ENGINE')) {
      by.engine += rest
      filled += rest
      left -= rest
    }
  }
  const because = engine?.reason()
  return { filled, confirmed, left, by, ...(because !== undefined && { because }) }
}

/** Returns what was written: not where somebody was faster. */
async function write(
  hub: Hub,
  { changedBy, locked }: Filler,
  changes: readonly Change[],
  stateOf: (change: Change) => DraftRow['state'],
): Promise<ReadonlySet<Change>> {
  let done = new Set<Change>()
  if (changes.length === 0) return done
  await locked(async (tx, request) => {
    const path = pathOf(request)
    const ids = changes.map(({ one }) => one.segment.segmentId)
    const known = new Map((await readDrafts(tx, path, ids)).map((row) => [row.segment_id, row]))
    done = new Set()
    const rows: DraftRow[] = []
    let more = 0
    for (const change of changes) {
      const { segment } = change.one
      const row = known.get(segment.segmentId)
      const draft = row && openDraft(hub, row)
      const isFree = change.isNew
        ? !targetOf(segment, draft)
        : draft?.filled !== undefined && draft.version === change.one.draft?.version
      if (!isFree) continue
      const target = joined(change.target)
      const text = JSON.stringify(target)
      const bytes = Buffer.byteLength(text)
      more += bytes - (row?.bytes ?? 0)
      done.add(change)
      rows.push({
        ...emptyRow(path, segment.segmentId),
        ...row,
        target: sealNote(hub, text),
        target_digest: digestOf(hub, path, target),
        state: stateOf(change),
        version: versionOf(request, draft) + 1,
        bytes,
        ...{ changed_by: changedBy, by_person: 0, changed_at: hub.clock.now() },
        ...{ kept: null, words: segment.words, filled: JSON.stringify(change.filled) },
      })
    }
    // Under the lock of the request nobody else can have written one.
    if ((await writeDrafts(tx, rows)) < rows.length) throw new Error('A draft was not written.')
    return more
  })
  return done
}
