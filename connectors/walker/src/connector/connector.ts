/**
 * The body of a connector: what every content system's plugin does, over three ports (the system,
 * its records, the hub). All calls take turns, so that a row has one writer in this process.
 */
import type { Entry, Hub, Item, Records, Settings, System } from './ports.ts'
import { isPassing, isRefusal, refusal, sentenceOf } from './refusal.ts'
import { itemOf, openRows } from './rows.ts'
import { flush, keepSending, type Parts } from './send.ts'
import { readSettings, targetsOf } from './settings.ts'
import { type Choice, chooseText, review, takeRequest, type Verdict } from './take.ts'
import { openTurns } from './turns.ts'

export type ConnectorOptions = {
  readonly system: System
  readonly records: Records
  readonly hub: Hub | undefined
  /** What applies until an administrator saves settings. */
  readonly settings: Settings
  readonly newKey: () => string
  readonly log?: (sentence: string) => void
}

export type Connector = {
  status(collection: string, id?: string): Promise<Item[]>
  send(entries: readonly Entry[], languages: readonly string[]): Promise<Item[]>
  /** An entry was published: it is sent where the settings say so. */
  published(entry: Entry): Promise<void>
  review(verdict: Verdict): Promise<Item[]>
  choose(choice: Choice): Promise<Item[]>
  poll(): Promise<void>
  /** A verified call of the listener. */
  heard(delivery: { jobId?: string; requestIds?: readonly string[] }): Promise<void>
  /** Registers the listener, or renews its address and secret. */
  listen(uri: string, secret: string): Promise<void>
  settings(): Promise<Settings>
  changeSettings(given: unknown): Promise<Settings>
}

const settingsKey = 'settings'
const listenerType = 'REQUEST_STATUS_UPDATED'
const mostEntries = 1_000

export function openConnector(options: ConnectorOptions): Connector {
  const { system, records, hub, log = () => {} } = options
  const rows = openRows(records)
  const turn = openTurns()
  const settings = async () =>
    ((await records.get(settingsKey)) as Settings | undefined) ?? options.settings
  const parts: Parts = { system, records, rows, hub, settings, newKey: options.newKey, log }
  const theHub = (): Hub => {
    if (hub) return hub
    throw refusal(503, 'No hub is configured: DRAGOMAN_URL, DRAGOMAN_CLIENT_ID and its secret.')
  }

  const item = async (entry: Entry, language: string): Promise<Item> => {
    const source = await system.source(entry)
    return itemOf(await rows.find(entry, language), source?.texts, hub?.url ?? '')
  }
  const mustBeTarget = async (languages: readonly string[]) => {
    const known = targetsOf(await settings())
    const strange = languages.find((language) => !known.includes(language))
    if (strange !== undefined)
      throw refusal(400, `"${strange}" is no language to translate into: ${known.join(', ')}.`)
  }
  const mustBeCollection = async (collection: string) => {
    if (!(await system.hasCollection(collection)))
      throw refusal(400, `"${collection}" is no collection with texts to translate.`)
  }
  const flushQuietly = () => flush(parts).catch((error: unknown) => log(sentenceOf(error)))

  const send = async (entries: readonly Entry[], languages: readonly string[]) => {
    if (entries.length === 0 || languages.length === 0)
      throw refusal(400, 'Name at least one entry and one language.')
    if (entries.length > mostEntries)
      throw refusal(400, `Send at most ${mostEntries} entries at once.`)
    await mustBeTarget(languages)
    for (const collection of new Set(entries.map((entry) => entry.collection)))
      await mustBeCollection(collection)
    const once = new Map(entries.map((one) => [`${one.collection} ${one.id}`, one]))
    await keepSending(parts, [...once.values()], [...new Set(languages)])
    const items: Item[] = []
    for (const entry of once.values())
      for (const language of new Set(languages)) items.push(await item(entry, language))
    return items
  }

  return {
    status: async (collection, id) => {
      await mustBeCollection(collection)
      const known = targetsOf(await settings())
      if (id !== undefined) {
        const source = await system.source({ collection, id })
        if (!source) throw refusal(404, 'There is no such entry.')
        return Promise.all(known.map((language) => item({ collection, id }, language)))
      }
      const found: Item[] = []
      for (const row of await rows.of(collection)) found.push(await item(row, row.language))
      return found
    },
    send: async (entries, languages) => {
      const items = await turn(() => send(entries, languages))
      void turn(flushQuietly)
      return items
    },
    published: async (entry) => {
      const now = await settings()
      const targets = targetsOf(now)
      if (!now.onPublish || targets.length === 0) return
      await turn(() => send([entry], targets))
      void turn(flushQuietly)
    },
    review: (verdict) =>
      turn(async () => {
        await mustBeTarget([verdict.language])
        await review(parts, theHub(), verdict).catch(asSentence)
        return [await item(verdict, verdict.language)]
      }),
    choose: (choice) =>
      turn(async () => {
        await mustBeTarget([choice.language])
        await chooseText(parts, choice)
        return [await item(choice, choice.language)]
      }),
    poll: () =>
      turn(async () => {
        await flush(parts)
        const line = theHub()
        const take = async (update: {
          jobId: string
          requestIds?: readonly string[] | undefined
        }) => {
          for (const requestId of update.requestIds ?? [])
            await takeRequest(parts, line, { jobId: update.jobId, requestId })
        }
        const onError = (error: unknown) => log(sentenceOf(error))
        await line.pollOnce(take, { ledger: true, onError }).catch(asSentence)
      }),
    heard: ({ jobId, requestIds = [] }) =>
      turn(async () => {
        if (jobId !== undefined)
          for (const requestId of requestIds)
            await takeRequest(parts, theHub(), { jobId, requestId })
      }),
    listen: (uri, secret) =>
      turn(async () => {
        const line = theHub()
        const { listeners } = await line.listListeners()
        const old = listeners.find(({ type }) => type === listenerType)
        if (old)
          await line.changeListener({
            params: { listenerId: old.listenerId },
            body: { uri, secret, disabled: false },
          })
        else await line.createListener({ body: { uri, type: listenerType, secret } })
      }),
    settings,
    changeSettings: (given) =>
      turn(async () => {
        const next = readSettings(given, await settings())
        await records.put(settingsKey, next)
        return next
      }),
  }
}

/** A failure of the hub as a refusal of this call. */
function asSentence(error: unknown): never {
  if (isRefusal(error)) throw error
  throw refusal(isPassing(error) ? 503 : 409, sentenceOf(error))
}
