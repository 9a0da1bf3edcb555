/**
 * The plugin: `dragoman({ collections: ['pages'] })` in the config's list of plugins. It adds its
 * calls, a hidden collection for its records, hooks that see what is published, and a timer.
 */
import { type Connector, openConnector, usualSettings } from '@dragoman/walker/connector'
import { endpointsOf, type Rights } from './endpoints.ts'
import { type Environment, listenerSecret, openHub } from './hub.ts'
import type { Change, Collection, Config, Payload, PayloadRequest } from './payload-types.ts'
import { openRecords, recordsCollection } from './records.ts'
import { globalsName, openSystem, ownContext } from './system.ts'

export type DragomanOptions = {
  /** Slugs of the collections that are translated. */
  readonly collections?: readonly string[]
  /** Slugs of globals. */
  readonly globals?: readonly string[]
  readonly access?: Rights
  /** The environment of the process by default. */
  readonly env?: Environment
  /** `false` where no process stays: call POST /api/dragoman/poll from a scheduler. */
  readonly timer?: boolean
}

const duePrefix = 'due:'

export const dragoman =
  (options: DragomanOptions = {}) =>
  <C extends object>(given: C): C => {
    const config = given as Config
    const { collections = [], globals = [], access = {}, env = process.env } = options
    const chosen = [...collections, ...(globals.length > 0 ? [globalsName] : [])]
    const running = new WeakMap<Payload, Connector>()
    const connectorOf = (payload: Payload): Connector => {
      const known = running.get(payload)
      if (known) return known
      const records = openRecords(payload)
      const { localization } = payload.config
      if (!localization)
        throw new Error('The plugin dragoman needs `localization` in the config of Payload.')
      const connector: Connector = openConnector({
        system: openSystem(payload, chosen, () => connector.settings()),
        records,
        hub: openHub(env, records),
        settings: usualSettings(localization.defaultLocale, localization.localeCodes),
        newKey: () => `${timeKey()}-${globalThis.crypto.randomUUID()}`,
        log: (sentence) => payload.logger.error(`dragoman: ${sentence}`),
      })
      running.set(payload, connector)
      return connector
    }

    /** In the transaction of the change: if that is rolled back, nothing is due. */
    const onChange = async (
      { doc, req, context }: Change,
      entry: (doc: Change['doc']) => string,
    ) => {
      const isOwn = (context ?? req.context)?.dragoman === ownContext.dragoman
      if (isOwn || (doc._status !== undefined && doc._status !== 'published')) return doc
      // An editor's change is not refused because of us.
      const key = `${duePrefix}${entry(doc)}`
      await openRecords(req.payload, req)
        .put(key, timeKey())
        .catch((error: unknown) => req.payload.logger.error(`dragoman: ${String(error)}`))
      setTimeout(() => void sendDue(req.payload), 1_000).unref()
      return doc
    }
    const sendDue = async (payload: Payload): Promise<void> => {
      const records = openRecords(payload)
      for (const { key, value } of await records.list(duePrefix)) {
        const [collection = '', id = ''] = key.slice(duePrefix.length).split(' ')
        await connectorOf(payload)
          .published({ collection, id })
          .catch((error: unknown) => payload.logger.error(`dragoman: ${String(error)}`))
        // Published once more meanwhile: that is for the next time.
        if ((await records.get(key)) === value) await records.remove(key)
      }
    }
    const withHook = (one: Collection, entry: (doc: Change['doc']) => string): Collection => ({
      ...one,
      hooks: {
        ...one.hooks,
        afterChange: [
          ...(one.hooks?.afterChange ?? []),
          (change: Change) => onChange(change, entry),
        ],
      },
    })

    const start = (payload: Payload): void => {
      const connector = connectorOf(payload)
      const { DRAGOMAN_PUBLIC_URL: publicUrl, DRAGOMAN_URL: hubUrl } = env
      let isListening = !publicUrl || !hubUrl
      const report = (error: unknown) =>
        payload.logger.error(`dragoman: ${error instanceof Error ? error.message : String(error)}`)
      const round = async (): Promise<void> => {
        await sendDue(payload).catch(report)
        if (!isListening && publicUrl) {
          const path = `${payload.config.routes.api}/dragoman/deliveries`
          const uri = publicUrl.replace(/\/+$/, '') + path
          await connector.listen(uri, listenerSecret(env)).then(() => {
            isListening = true
          }, report)
        }
        if (hubUrl) await connector.poll().catch(report)
        const { pollSeconds } = await connector.settings()
        setTimeout(() => void round().catch(report), pollSeconds * 1_000).unref()
      }
      setTimeout(() => void round().catch(report), 1_000).unref()
    }

    const extended: Config = {
      ...config,
      collections: [
        ...(config.collections ?? []).map((one) =>
          collections.includes(one.slug)
            ? withHook(one, ({ id }) => `${one.slug} ${String(id)}`)
            : one,
        ),
        recordsCollection,
      ],
      globals: (config.globals ?? []).map((one) =>
        globals.includes(one.slug) ? withHook(one, () => `${globalsName} ${one.slug}`) : one,
      ),
      endpoints: [
        ...(config.endpoints ?? []),
        ...endpointsOf({
          connectorOf: (req: PayloadRequest) => connectorOf(req.payload),
          rights: access,
          env,
        }),
      ],
      onInit: async (payload) => {
        await config.onInit?.(payload)
        if (options.timer !== false) start(payload)
      },
    }
    return extended as C
  }

/** Keys of later sendings sort behind earlier ones. */
const timeKey = (): string =>
  String(Math.trunc(performance.timeOrigin + performance.now())).padStart(15, '0')
