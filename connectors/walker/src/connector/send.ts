/**
 * Sends entries so that nothing is lost and nothing is sent twice, whenever this process ends: what
 * is to be sent is a record before anybody is answered, its key is the idempotency key of every
 * call, and each step that the hub has confirmed is kept before the next.
 */
import { digest } from '../digest.ts'
import { whatToSend, whyNotSendable } from '../rules.ts'
import type { Entry, Hub, Records, Row, Settings, System } from './ports.ts'
import { isPassing, refusal, sentenceOf } from './refusal.ts'
import { type Rows, withSent } from './rows.ts'

export type Parts = {
  readonly system: System
  readonly records: Records
  readonly rows: Rows
  /** Undefined while the connector has no address or credentials of a hub. */
  readonly hub: Hub | undefined
  readonly settings: () => Promise<Settings>
  /** A key that sorts by time. */
  readonly newKey: () => string
  readonly log: (sentence: string) => void
}

type Part = Entry & {
  readonly language: string
  readonly hubLanguage: string
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}
type Sending = {
  readonly key: string
  readonly provider: string
  readonly source: string
  readonly parts: readonly Part[]
  readonly jobId?: string
}

const prefix = 'sending:'
const nativeId = ({ collection, id }: Entry): string => `${collection}:${id}`
const samePart = (one: Part, id: string | undefined, language: string): boolean =>
  nativeId(one) === id && one.hubLanguage.toLowerCase() === language.toLowerCase()

/** Keeps what is to be sent. Entries that cannot be sent are told so, and the others go on. */
export async function keepSending(
  { system, records, rows, settings, newKey }: Parts,
  entries: readonly Entry[],
  languages: readonly string[],
): Promise<void> {
  const { provider, source, languages: codes } = await settings()
  if (provider === '') throw refusal(409, 'No provider is chosen. An administrator sets it first.')
  const parts: Part[] = []
  for (const entry of entries) {
    const found = await system.source(entry).catch((error: unknown) => sentenceOf(error))
    for (const language of languages) {
      const row = await rows.find(entry, language)
      const fail = (failed: string) => rows.save({ ...row, failed })
      if (typeof found !== 'object') {
        await fail(found ?? 'The entry does not exist.')
        continue
      }
      const fields = changed(row, found.texts)
      const why = whyNotSendable(fields)
      if (why !== undefined) await fail(why)
      else if (Object.keys(found.texts).length === 0)
        await fail('The entry has no text to translate.')
      else if (Object.keys(fields).length > 0)
        parts.push({
          ...{ collection: entry.collection, id: entry.id, language },
          ...{ hubLanguage: codes[language] ?? language, name: found.name, fields },
        })
      else if (row.failed !== undefined) {
        const { failed: _, ...well } = row
        await rows.save(well)
      }
    }
  }
  if (parts.length === 0) return
  const key = newKey()
  const sending: Sending = { key, provider, source: codes[source] ?? source, parts }
  await records.put(prefix + key, sending)
  await adopt(rows, sending)
}

/** Changed texts that are not on their way already. */
function changed(row: Row, texts: Readonly<Record<string, string>>): Record<string, string> {
  const away = new Set(
    row.sent.flatMap(({ phase, texts: sent }) =>
      phase === 'APPROVED' || phase === 'FAILED' ? [] : sent.map((one) => one.source),
    ),
  )
  return Object.fromEntries(
    whatToSend(texts, row.known).flatMap((path) => {
      const text = texts[path] ?? ''
      return away.has(digest(text)) ? [] : [[path, text]]
    }),
  )
}

/** The rows of a sending know it, also if the process ended before they were written. */
async function adopt(rows: Rows, { key, parts }: Sending): Promise<void> {
  for (const part of parts) {
    const { failed: _, ...row } = await rows.find(part, part.language)
    if (row.sent.some((one) => one.sending === key)) continue
    const texts = Object.entries(part.fields).map(([path, text]) => ({
      path,
      source: digest(text),
    }))
    await rows.save(withSent(row, { sending: key, phase: 'WAITING', texts }))
  }
}

/** Sends what is kept, oldest first; what cannot be sent now stays for the next time. */
export async function flush(parts: Parts): Promise<void> {
  const { records, rows, log } = parts
  for (const { key, value } of await records.list(prefix)) {
    const sending = value as Sending
    await adopt(rows, sending)
    try {
      await sendOne(parts, sending)
    } catch (error) {
      if (isPassing(error)) {
        log(`Not sent yet: ${sentenceOf(error)}`)
        return
      }
      for (const part of sending.parts) await giveUp(rows, part, sending.key, sentenceOf(error))
    }
    await records.remove(key)
  }
}

async function giveUp(rows: Rows, part: Part, key: string, failed: string): Promise<void> {
  const row = await rows.find(part, part.language)
  await rows.save({ ...row, failed, sent: row.sent.filter(({ sending }) => sending !== key) })
}

async function sendOne({ hub, records, rows }: Parts, sending: Sending): Promise<void> {
  const { key, parts, source } = sending
  if (!hub) throw refusal(409, 'The connector has no address or credentials of a hub.')
  let { jobId } = sending
  if (jobId === undefined) {
    const { id } = await hub.findProviderNamed(sending.provider)
    const jobName = nameOf(parts)
    jobId = (await hub.createJob({ body: { jobName, providerId: id } }, { key })).jobId
    await records.put(prefix + key, { ...sending, jobId })
  }
  const inJob = { params: { jobId } }
  const { statusCode } = await hub.findJob(inJob)
  if (statusCode === 'CREATED') {
    const there: {
      requestId: string
      sourceNativeId?: string
      targetNativeLanguageCode: string
    }[] = []
    for await (const request of hub.each('listRequests', inJob)) there.push(request)
    const missing = parts.filter(
      (part) =>
        !there.some((one) => samePart(part, one.sourceNativeId, one.targetNativeLanguageCode)),
    )
    if (missing.length > 0) {
      const items = missing.map((part) => ({
        ...{ name: cut(part.name), id: nativeId(part) },
        ...{ targets: [part.hubLanguage], fields: part.fields },
      }))
      const addKey = `${key}-${missing.length}`
      await hub.add(jobId, items, { source, targets: [], key: addKey })
    }
  }
  for await (const request of hub.each('listRequests', inJob)) {
    const { sourceNativeId, targetNativeLanguageCode: language, requestId } = request
    const part = parts.find((one) => samePart(one, sourceNativeId, language))
    if (!part) continue
    const row = await rows.find(part, part.language)
    const sent = row.sent.find((one) => one.sending === key)
    if (sent && sent.requestId === undefined)
      await rows.save(withSent(row, { ...sent, jobId, requestId, phase: 'IN_TRANSLATION' }))
  }
  if (statusCode === 'CREATED') await hub.submitJob(inJob)
}

const nameOf = (parts: readonly Part[]): string => {
  const names = [...new Set(parts.map(({ name }) => name))]
  const more = names.length > 1 ? ` and ${names.length - 1} more` : ''
  return cut(names[0] ?? '', 200) + more
}

/** Names have at most 250 bytes, whatever their letters, and at least one. */
function cut(name: string, most = 250): string {
  let kept = ''
  let left = most
  for (const point of name.toWellFormed().replaceAll('\0', '')) {
    left -= Buffer.byteLength(point)
    if (left < 0) break
    kept += point
  }
  return kept.trim() === '' ? 'Untitled' : kept
}
