/** The rows of entries and languages among the records, and what a row shows. */
import { type Phase, stateOf, type Texts } from '../rules.ts'
import type { Entry, Item, Records, Row, Sent } from './ports.ts'

/** A part of a key: no name contains the sign that joins them. */
const part = (name: string): string => encodeURIComponent(name)
const rowKey = ({ collection, id }: Entry, language: string): string =>
  `row:${part(collection)}:${part(id)}:${part(language)}`
const requestKey = (requestId: string): string => `request:${part(requestId)}`

export function openRows(records: Records) {
  const find = async (entry: Entry, language: string): Promise<Row> =>
    ((await records.get(rowKey(entry, language))) as Row | undefined) ?? {
      collection: entry.collection,
      id: entry.id,
      language,
      known: [],
      conflicts: [],
      sent: [],
    }
  const save = async (row: Row): Promise<void> => {
    for (const { requestId } of row.sent)
      if (requestId !== undefined)
        await records.put(requestKey(requestId), rowKey(row, row.language))
    await records.put(rowKey(row, row.language), row)
  }
  const ofRequest = async (requestId: string): Promise<Row | undefined> => {
    const key = await records.get(requestKey(requestId))
    return typeof key === 'string' ? ((await records.get(key)) as Row | undefined) : undefined
  }
  const of = async (collection: string): Promise<Row[]> =>
    (await records.list(`row:${part(collection)}:`)).map(({ value }) => value as Row)
  return { find, save, ofRequest, of }
}
export type Rows = ReturnType<typeof openRows>

/** That of the newest sending which is not settled. */
export function openSent(row: Row): Sent | undefined {
  const isOpen = ({ phase }: Sent) => phase !== 'APPROVED' && phase !== 'FAILED'
  return row.sent.findLast(isOpen) ?? row.sent.at(-1)
}

/** Sendings that are settled are kept for a delivery that comes again; the oldest ones go. */
const mostSettled = 5
export function withSent(row: Row, sent: Sent): Row {
  const others = row.sent.filter(({ sending }) => sending !== sent.sending)
  const isNew = others.length === row.sent.length
  const all = isNew
    ? [...row.sent, sent]
    : row.sent.map((one) => (one.sending === sent.sending ? sent : one))
  const settled = all.filter(({ phase }) => phase === 'APPROVED' || phase === 'FAILED')
  const old = new Set(settled.slice(0, Math.max(0, settled.length - mostSettled)))
  return { ...row, sent: all.filter((one) => !old.has(one)) }
}

export function itemOf(row: Row, source: Texts | undefined, hubUrl: string): Item {
  const { collection, id, language, known, conflicts } = row
  const last = openSent(row)
  const phase: Phase = row.failed !== undefined ? 'FAILED' : (last?.phase ?? 'NONE')
  const isGone = source === undefined
  const state = isGone ? 'FAILED' : stateOf({ phase, source, known, conflicts })
  const sentence = isGone ? 'The entry does not exist any more.' : (row.failed ?? row.told)
  return {
    collection,
    id,
    language,
    state,
    ...(sentence !== undefined && { sentence }),
    ...(last?.jobId !== undefined && {
      jobId: last.jobId,
      jobUrl: `${hubUrl}/jobs/${encodeURIComponent(last.jobId)}`,
    }),
    ...(last?.requestId !== undefined && { requestId: last.requestId }),
    ...(conflicts.length > 0 && { conflict: conflicts }),
  }
}
