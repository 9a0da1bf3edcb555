/**
 * Imports a list of terms: all of it or nothing. A term of the list is one of the site if it has
 * its id, or else the same texts in the same languages; so a list that is imported twice adds
 * nothing twice. An import removes nothing.
 */
import { createHash } from 'node:crypto'
import { limits, type TermImport, type TermImportQuery } from '@dragoman/contract'
import { FormatError } from '@dragoman/text/formats'
import { refuseList } from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import type { TermRow } from '../../../store/tables.ts'
import { openGate, throughGate } from '../../../turns/gate.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { factsOf } from '../../access/audit/acts.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call, mustBeThere } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit, quotaOf } from '../../access/quota.ts'
import { lockSite } from '../../access/sites.ts'
import { wholeOf, withReceived } from '../../files/received-file.ts'
import { eachPage, type Pages } from '../worker/pages.ts'
import { runSafely } from '../worker/run.ts'
import type { ReadKeys, ReadList, ReadTerm } from './read-list.ts'
import { insertTerms, selectKeys, type TermKeys, updateStamp, updateTerm } from './term-rows.ts'
import { changeOf, newRow } from './terms.ts'

/** A list is read into memory: two at a time on a node, one of a site. */
const gateOf = perHub(() => openGate(2, 1))
const module = new URL('./read-list.ts', import.meta.url)

/**
 * Whoever sends slowly keeps nobody waiting: the list is on the disk before it is read. It ends
 * when its caller goes.
 */
export function importTerms(
  hub: Hub,
  call: Call,
  query: TermImportQuery,
  file: AsyncIterable<Uint8Array>,
): Promise<TermImport> {
  const { siteId } = call.caller
  const body = { what: 'The list', limit: limits.termListBytes }
  return withReceived(hub, file, body, async (received) => {
    const list = await throughGate(gateOf(hub), siteId, 1, async () => {
      mustBeThere(call)
      return readSafely(call, query, await wholeOf(received))
    })
    const bodyHash = createHash('sha256')
      .update(JSON.stringify(query))
      .update(received.sha256)
      .digest('base64url')
    const own = call.once ? { ...call, once: { ...call.once, bodyHash } } : call
    return once(hub, own, (tx) => merge({ hub, tx, call }, list))
  })
}

type List = Extract<ReadList, { terms: Pages }>

async function readSafely(
  { caller }: Call,
  query: TermImportQuery,
  bytes: Uint8Array,
): Promise<List> {
  const quotas = {
    terms: quotaOf(caller, 'MaxTermsPerSite'),
    bytes: quotaOf(caller, 'MaxTermBytesPerSite'),
  }
  const { siteId } = caller
  const list = await runSafely<ReadList>(module, 'readList', [bytes, query, quotas], {
    siteId,
  }).catch((error: unknown) => {
    if (error instanceof FormatError) refuseList(error.message)
    throw error
  })
  if ('refused' in list) {
    const { because, line } = list.refused
    return refuseList(because, line === undefined ? undefined : Number(line.replace(/\D/g, '')))
  }
  if ('over' in list) {
    mustFit(caller, 'MaxTermsPerSite', 0, list.over.terms)
    mustFit(caller, 'MaxTermBytesPerSite', 0, list.over.bytes)
    throw new Error('A list of terms was not read to its end.')
  }
  return list
}

type Writing = { readonly hub: Hub; readonly tx: Db; readonly call: Call }

/** Rows that are written at once: others get in between. */
const rowsAtOnce = 500

async function merge(writing: Writing, list: List): Promise<TermImport> {
  const { hub, tx, call } = writing
  const { siteId } = call.caller
  await lockSite(tx, siteId)
  const known = await readKeys(tx, siteId)
  const { added, changed, unchanged } = await compare(known, list)
  mustFit(call.caller, 'MaxTermsPerSite', known.length, added.size)
  let [grown, replaced, used] = [0, 0, 0]
  for (const bytes of added.values()) grown += bytes
  for (const { was, bytes } of changed.values()) {
    grown += bytes
    replaced += was.bytes
  }
  for (const { bytes } of known) used += bytes
  mustFit(call.caller, 'MaxTermBytesPerSite', used, grown - replaced)
  const pause = openPauses()
  let at = -1
  let rows: TermRow[] = []
  for await (const some of eachPage<ReadTerm>(list.terms)) {
    mustBeThere(call)
    for (const { columns } of some) {
      at += 1
      const was = changed.get(at)?.was
      if (was)
        await updateTerm(tx, siteId, was.term_id, changeOf({ hub, call }, columns, was.version))
      if (added.has(at)) rows.push(newRow({ hub, call }, columns))
      if (rows.length >= rowsAtOnce) {
        await insertTerms(tx, rows)
        rows = []
      }
      await pause()
    }
  }
  if (rows.length > 0) await insertTerms(tx, rows)
  const counts = { added: added.size, changed: changed.size, unchanged }
  if (counts.added + counts.changed > 0) {
    await updateStamp(tx, siteId, newId())
    const facts = factsOf('term', undefined, counts)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'term', verb: 'imported', id: siteId, ...facts },
    ])
  }
  return counts
}

async function readKeys(tx: Db, siteId: string): Promise<TermKeys[]> {
  const known: TermKeys[] = []
  const pause = openPauses()
  for (let last: TermKeys | undefined; ; ) {
    const after = last && { after: [last.sort_key, last.term_id] }
    const some = await selectKeys(tx, siteId, { ...after, limit: keysAtOnce })
    for (const row of some) known.push(row)
    last = some.at(-1)
    if (some.length < keysAtOnce) return known
    await pause()
  }
}
const keysAtOnce = 2_000

/** By the place of a term in the list. */
type Comparison = {
  /** With their bytes. */
  readonly added: ReadonlyMap<number, number>
  readonly changed: ReadonlyMap<number, { readonly was: TermKeys; readonly bytes: number }>
  readonly unchanged: number
}

/**
 * First those with an id and those that are the same in everything, so that a term is not taken for
 * another with its texts.
 */
async function compare(known: readonly TermKeys[], list: List): Promise<Comparison> {
  const byId = new Map<string, TermKeys>()
  const byContent = new Map<string, TermKeys>()
  const pause = openPauses()
  for (const row of known) {
    byId.set(row.term_id, row)
    byContent.set(row.content_key, row)
    await pause()
  }
  const taken = new Set<TermKeys>()
  const added = new Map<number, number>()
  const changed = new Map<number, { readonly was: TermKeys; readonly bytes: number }>()
  const rest: (ReadKeys & { readonly at: number })[] = []
  const addedContents = new Set<string>()
  let [unchanged, at] = [0, -1]
  for await (const some of eachPage<ReadKeys>(list.keys))
    for (const term of some) {
      at += 1
      const { termId, content_key, bytes } = term
      const own = termId === undefined ? undefined : byId.get(termId)
      const was = own && !taken.has(own) ? own : byContent.get(content_key)
      if (!was) {
        rest.push({ ...term, at })
        continue
      }
      taken.add(was)
      if (was.content_key === content_key) unchanged += 1
      else changed.set(at, { was, bytes })
    }
  const bySame = new Map<string, TermKeys>()
  for (const row of known) {
    if (!taken.has(row)) bySame.set(row.same_key, row)
    await pause()
  }
  for (const { at, same_key, content_key, bytes } of rest) {
    const was = bySame.get(same_key)
    bySame.delete(same_key)
    if (was) changed.set(at, { was, bytes })
    else if (addedContents.has(content_key)) unchanged += 1
    else {
      addedContents.add(content_key)
      added.set(at, bytes)
    }
    await pause()
  }
  return { added, changed, unchanged }
}
