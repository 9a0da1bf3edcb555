/**
 * The verbs of the desk as a round that the hub is killed in: drafting, claiming, releasing,
 * delivering segments, and packages.
 */
import { openNote } from '../../packages/server/src/domain/files/seals/notes.ts'
import { beginDesk, type DeskLedger } from './desk-steps.ts'
import { findBrokenLaws, movesOf } from './history-laws.ts'
import type { Walk } from './round.ts'
import { type Baseline, countFor, holdDeliveries, sha256, tasksOf } from './round-laws.ts'
import type { RoundPlace } from './round-place.ts'
import type { Receiver } from './round-receiver.ts'
import type { Counter } from './tally.ts'

export const deskWalk: Walk = {
  name: 'the desk',
  begin: async (place, receiver, jobName) => {
    const go = await beginDesk(place, receiver, jobName)
    return async () => {
      const ledger = await go()
      return {
        ...ledger,
        hold: (tally, known) => holdDesk(place, ledger, receiver, { tally, known }),
      }
    }
  },
}

async function holdDesk(
  { inner: hub }: RoundPlace,
  ledger: DeskLedger,
  receiver: Receiver,
  { tally, known }: { readonly tally: Counter; readonly known: Baseline | undefined },
): Promise<Baseline> {
  const { read } = hub.db
  const { jobId, jobName, written, translations } = ledger
  const { lost, doubled, exactly } = countFor(tally, jobName)
  const ids = [...ledger.assignees.keys()]
  const rows = await read.selectFrom('drafts').selectAll().where('job_id', '=', jobId).execute()
  exactly(
    'target',
    rows.map(({ request_id, segment_id, version, state, target, delivered, previous }) =>
      [
        request_id,
        segment_id,
        version,
        state,
        openNote(hub, target),
        openNote(hub, delivered),
        previous,
      ].join(' '),
    ),
    [...written].flatMap(([requestId, segments]) =>
      segments.map(({ segmentId, version, state, target }) => {
        const text = JSON.stringify(target)
        return [requestId, segmentId, version + 1, state, text, text, null].join(' ')
      }),
    ),
  )
  const requests = await read
    .selectFrom('requests')
    .selectAll()
    .where('job_id', '=', jobId)
    .execute()
  exactly(
    'request',
    requests.map(({ request_id, status, assignee }) => `${request_id} ${status} ${assignee ?? ''}`),
    [...ledger.assignees].map(([id, assignee]) => `${id} REVIEW_TRANSLATION ${assignee ?? ''}`),
  )
  const acts = await read.selectFrom('audit').selectAll().where('thing_id', 'in', ids).execute()
  exactly(
    'act',
    acts.map(({ thing_id, verb }) => `${thing_id} ${verb}`),
    [...ledger.assignees].flatMap(([id, assignee]) =>
      assignee === undefined
        ? []
        : ['claimed', 'released', 'claimed'].map((verb) => `${id} ${verb}`),
    ),
  )
  const files = read
    .selectFrom('files')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('kind', '=', 'translation')
  exactly(
    'translation',
    (await files.execute()).map((file) => String(file.sha256)),
    [...translations].filter(([name]) => name.startsWith('page ')).map(([, text]) => sha256(text)),
  )
  for (const [name, text] of known?.translations ?? [])
    if (translations.get(name) !== text) lost(`${name} came back otherwise than without a fault`)
  const moves = await movesOf(read, jobId)
  const claimed = ids.filter((id) => ledger.assignees.get(id) !== undefined)
  exactly(
    'move',
    moves.map(({ request_id, move }) => `${request_id ?? 'job'} ${move}`),
    [
      ...['submit', 'sent', 'start'].map((move) => `job ${move}`),
      ...ids.flatMap((id) => ['submit', 'sent', 'deliver'].map((move) => `${id} ${move}`)),
      ...claimed.map((id) => `${id} start`),
    ],
  )
  // Not the order by time: two nodes write here, and one may learn a moment later that the clock of
  // the sandbox was moved.
  for (const says of await findBrokenLaws(read, [jobId]))
    if (!says.includes(' has no path: ')) doubled(says)
  for (const { name, last_error } of await tasksOf(read, jobId))
    tally.leaked(`${jobName}: task ${name} is left (${last_error})`)
  const deliveries = await holdDeliveries(hub, ledger, receiver, { lost, doubled })
  if (known) exactly('delivery', deliveries, known.deliveries)
  return { translations, deliveries }
}
