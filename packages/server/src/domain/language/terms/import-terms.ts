/**
 * Imports a list of terms: all of it or nothing. A term of the list is one of the site if it has
 * its id, or else the same texts in the same languages; so a list that is imported twice adds
 * nothing twice. An import removes nothing.
 */
import { createHash } from 'node:crypto'
import { HubError, limits, type TermImport, type TermImportQuery } from '@dragoman/contract'
import { decode, FormatError, xmlCharset } from '@dragoman/text/formats'
import {
  columnsOf,
  faultOf,
  type ListedTerm,
  normalTerm,
  readTbx,
  readTermCsv,
  refuseList,
} from '@dragoman/text/terms'
import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import { openGate, throughGate } from '../../../turns/gate.ts'
import { openPauses } from '../../../turns/pauses.ts'
import { factsOf } from '../../access/audit/acts.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { lockSite } from '../../access/sites.ts'
import { insertTerms, selectKeys, type TermKeys, updateStamp, updateTerm } from './term-rows.ts'
import { changeOf, newRow } from './terms.ts'

/** A list is held in memory: two at a time on a node, one of a site. */
const gateOf = perHub(() => openGate(2 * limits.termListBytes, limits.termListBytes))

export function importTerms(
  hub: Hub,
  call: Call,
  query: TermImportQuery,
  file: AsyncIterable<Uint8Array>,
): Promise<TermImport> {
  const { siteId } = call.caller
  return throughGate(gateOf(hub), siteId, limits.termListBytes, async () => {
    const bytes = await wholeOf(file)
    const bodyHash = createHash('sha256')
      .update(JSON.stringify(query))
      .update(bytes)
      .digest('base64url')
    const terms = await readAll(call, query, bytes)
    const own = call.once ? { ...call, once: { ...call.once, bodyHash } } : call
    return once(hub, own, (tx) => merge({ hub, tx, call }, terms))
  })
}

async function wholeOf(file: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of file) {
    length += piece.length
    if (length > limits.termListBytes)
      throw new HubError('CONTENT_TOO_LARGE', { what: 'The list', limit: limits.termListBytes })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

type Prepared = {
  readonly termId: string | undefined
  readonly columns: ReturnType<typeof columnsOf>
}

async function readAll(
  { caller }: Call,
  query: TermImportQuery,
  bytes: Buffer,
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  let size = 0
  try {
    for await (const { line, termId, ...given } of termsIn(query, bytes)) {
      const content = normalTerm(given)
      const fault = faultOf(content)
      if (fault) refuseList(`the term is not valid: ${fault}`, line)
      const columns = columnsOf(content)
      size += columns.bytes
      prepared.push({ termId, columns })
      // Before the rest is read: the list may have a million rows.
      mustFit(caller, 'MaxTermsPerSite', 0, prepared.length)
      mustFit(caller, 'MaxTermBytesPerSite', 0, size)
    }
  } catch (error) {
    if (error instanceof FormatError) refuseList(error.message)
    throw error
  }
  if (prepared.length === 0) refuseList('it has no terms.')
  return prepared
}

function termsIn(query: TermImportQuery, bytes: Buffer): AsyncGenerator<ListedTerm> {
  const { format, sourceNativeLanguageCode: source, targetNativeLanguageCode: target } = query
  const { text } = decode(
    bytes,
    format === 'tbx' ? { declared: xmlCharset, fallsBack: false } : { fallsBack: false },
  )
  return format === 'tbx'
    ? readTbx(text, openPauses())
    : readTermCsv(text, { source, target }, openPauses())
}

type Writing = { readonly hub: Hub; readonly tx: Db; readonly call: Call }

async function merge(writing: Writing, terms: readonly Prepared[]): Promise<TermImport> {
  const { hub, tx, call } = writing
  const { siteId } = call.caller
  await lockSite(tx, siteId)
  const known = await selectKeys(tx, siteId)
  const { added, changed, unchanged } = compare(known, terms)
  mustFit(call.caller, 'MaxTermsPerSite', known.length, added.length)
  const grown = [...added, ...changed.map(({ term }) => term)].reduce(
    (sum, { columns }) => sum + columns.bytes,
    0,
  )
  const replaced = changed.reduce((sum, { was }) => sum + was.bytes, 0)
  const used = known.reduce((sum, { bytes }) => sum + bytes, 0)
  mustFit(call.caller, 'MaxTermBytesPerSite', used, grown - replaced)
  await insertTerms(
    tx,
    added.map(({ columns }) => newRow({ hub, call }, columns)),
  )
  const pause = openPauses()
  for (const { term, was } of changed) {
    await updateTerm(tx, siteId, was.term_id, changeOf({ hub, call }, term.columns, was.version))
    await pause()
  }
  const counts = { added: added.length, changed: changed.length, unchanged }
  if (counts.added + counts.changed > 0) {
    await updateStamp(tx, siteId, newId())
    const facts = factsOf('term', undefined, counts)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'term', verb: 'imported', id: siteId, ...facts },
    ])
  }
  return counts
}

type Comparison = {
  readonly added: Prepared[]
  readonly changed: { readonly term: Prepared; readonly was: TermKeys }[]
  readonly unchanged: number
}

/**
 * First those with an id and those that are the same in everything, so that a term is not taken for
 * another with its texts.
 */
function compare(known: readonly TermKeys[], terms: readonly Prepared[]): Comparison {
  const byId = new Map(known.map((row) => [row.term_id, row]))
  const byContent = new Map(known.map((row) => [row.content_key, row]))
  const taken = new Set<TermKeys>()
  const added: Prepared[] = []
  const changed: Comparison['changed'] = []
  const rest: Prepared[] = []
  const addedContents = new Set<string>()
  let unchanged = 0
  for (const term of terms) {
    const { content_key } = term.columns
    const own = term.termId === undefined ? undefined : byId.get(term.termId)
    const was = own && !taken.has(own) ? own : byContent.get(content_key)
    if (!was) {
      rest.push(term)
      continue
    }
    taken.add(was)
    if (was.content_key === content_key) unchanged += 1
    else changed.push({ term, was })
  }
  const bySame = new Map(known.filter((row) => !taken.has(row)).map((row) => [row.same_key, row]))
  for (const term of rest) {
    const was = bySame.get(term.columns.same_key)
    bySame.delete(term.columns.same_key)
    if (was) changed.push({ term, was })
    else if (addedContents.has(term.columns.content_key)) unchanged += 1
    else {
      addedContents.add(term.columns.content_key)
      added.push(term)
    }
  }
  return { added, changed, unchanged }
}
