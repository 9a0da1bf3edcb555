/**
 * A chain: engines in their order, asked for each segment that those before them could not
 * translate, and then perhaps people, who get suggestions. Without people it delivers by itself,
 * and only what is whole.
 */
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import type { Engine } from './ask-batches.ts'
import { selectNamed } from './chain-rows.ts'
import {
  CannotTranslate,
  type ConfigFault,
  type Driver,
  type Languages,
  peopleTypes,
  type Source,
  TryLater,
} from './driver.ts'
import { machineTranslation } from './machine-translation.ts'
import { openEngine } from './open-engine.ts'
import { translateContent } from './translate-content.ts'

const most = 10
const ids = {
  type: 'array',
  minItems: 1,
  maxItems: most,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 100 },
}

const configSchema = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: most,
      description:
        'Steps in their order: {"engines": ["…"]} with the ids of machine translation providers, and as the last one, if people should work on the drafts, {"people": "…"} with the id of their provider.',
      items: {
        type: 'object',
        properties: {
          engines: {
            ...ids,
            description:
              'Machine translation providers in the order in which they are asked, for each segment.',
          },
          people: {
            type: 'string',
            minLength: 1,
            maxLength: 100,
            description: 'The provider whose people get the drafts.',
          },
        },
        additionalProperties: false,
      },
    },
  },
  required: ['steps'],
  additionalProperties: false,
}

type Step = { readonly engines?: readonly string[]; readonly people?: string }
type Steps = { readonly engines: readonly string[]; readonly people?: string | undefined }

const stepsIn = ({ steps }: Readonly<Record<string, unknown>>): readonly Step[] =>
  steps as readonly Step[]

function stepsOf({ config }: ProviderRow): Steps {
  const steps = stepsIn(JSON.parse(config))
  const engines = [...new Set(steps.flatMap(({ engines = [] }) => engines))]
  return { engines, people: steps.at(-1)?.people }
}

export const chain: Driver = {
  typeId: 'chain',
  name: 'Chain',
  description:
    'Engines in their order, asked for each segment that those before them could not translate; then, if you like, people who work on the drafts.',
  configSchema,
  capabilities: { supportUpdateTM: false, supportQuote: false },
  outside: true,
  faultIn: async (_hub, config, { db, siteId }) =>
    faultOf(stepsIn(config)) ?? (await faultOfNamed(config, db, siteId)),
  people: (provider) => stepsOf(provider).people,
  missing: async (db, provider) => {
    const { engines, people } = stepsOf(provider)
    const named = await selectNamed(db, provider.site_id, [
      ...engines,
      ...(people === undefined ? [] : [people]),
    ])
    const isEnabled = (id: string) => named.get(id)?.status === 'ENABLED'
    if (people !== undefined && !isEnabled(people)) return people
    return engines.some(isEnabled) ? undefined : engines[0]
  },
  languages: async (hub, provider) => {
    const { engines, people } = stepsOf(provider)
    // People may know any language.
    if (people !== undefined) return undefined
    const named = await selectNamed(hub.db.read, provider.site_id, engines)
    const enabled = [...named.values()].filter(({ status }) => status === 'ENABLED')
    const all = await Promise.all(enabled.map((one) => machineTranslation.languages?.(hub, one)))
    const known = all.filter((one) => one !== undefined)
    return known.length === 0 || known.length < all.length ? undefined : togetherOf(known)
  },
  translate: async (hub, provider, source) => {
    const { engines: ids, people } = stepsOf(provider)
    const { engines, reasons, isGone } = await openEngines(hub, provider, ids, source)
    const forPeople = people !== undefined && !source.isTrial
    const [because] = reasons
    if (engines.length === 0 && because !== undefined && !forPeople)
      throw isGone ? new TryLater(because) : new CannotTranslate(because)
    return translateContent(hub, {
      siteId: provider.site_id,
      source,
      engines,
      ...(forPeople && { forPeople, because }),
    })
  },
}

function faultOf(steps: readonly Step[]): ConfigFault | undefined {
  for (const [at, { engines, people }] of steps.entries()) {
    const path = `steps/${at}`
    if ((engines === undefined) === (people === undefined))
      return { path, message: 'a step has either engines or people' }
    if (people !== undefined && at === 0)
      return { path, message: 'the first step must have engines' }
    if (people !== undefined && at < steps.length - 1)
      return { path, message: 'people are the last step of a chain' }
  }
  return undefined
}

/**
 * What a step names must be an enabled provider of this site, and do the work of that step itself.
 */
async function faultOfNamed(
  config: Readonly<Record<string, unknown>>,
  db: Db,
  siteId: string,
): Promise<ConfigFault | undefined> {
  const places = stepsIn(config).flatMap(({ engines = [], people }, at) => [
    ...engines.map((id, index) => ({ id, path: `steps/${at}/engines/${index}`, isEngine: true })),
    ...(people === undefined ? [] : [{ id: people, path: `steps/${at}/people`, isEngine: false }]),
  ])
  const named = await selectNamed(
    db,
    siteId,
    places.map(({ id }) => id),
  )
  const seen = new Set<string>()
  for (const { id, path, isEngine } of places) {
    const provider = named.get(id)
    if (!provider) return { path, message: 'is not a provider of this site' }
    const { name, type_id: type, status } = provider
    if (type === 'chain') return { path, message: `${name} is a chain; name its engines instead` }
    if (isEngine && type !== machineTranslation.typeId)
      return {
        path,
        message: `${name} has the type ${type}; engines have the type ${machineTranslation.typeId}`,
      }
    if (!isEngine && !peopleTypes.has(type))
      return {
        path,
        message: `${name} has the type ${type}; people work for providers of the type manual or api`,
      }
    if (status !== 'ENABLED') return { path, message: `${name} is disabled; enable it first` }
    if (seen.has(id)) return { path, message: `${name} is named twice` }
    seen.add(id)
  }
  return undefined
}

type Opened = {
  readonly engines: Engine[]
  /** Why others are not asked. */
  readonly reasons: string[]
  /** One of them is disabled or was removed, which may change. */
  readonly isGone: boolean
}

async function openEngines(
  hub: Hub,
  { site_id: siteId }: ProviderRow,
  ids: readonly string[],
  source: Source,
): Promise<Opened> {
  const named = await selectNamed(hub.db.read, siteId, ids)
  const engines: Engine[] = []
  const reasons: string[] = []
  let isGone = false
  for (const id of ids) {
    const provider = named.get(id)
    if (provider?.status !== 'ENABLED' || provider.type_id !== machineTranslation.typeId) {
      isGone = true
      reasons.push(`The engine ${provider?.name ?? id} of this chain is disabled or was removed.`)
      continue
    }
    const { sourceLanguage, targetLanguage } = source
    const languages = await machineTranslation.languages?.(hub, provider)
    if (languages && !languages.has(sourceLanguage, targetLanguage))
      reasons.push(
        `${provider.name} does not translate from ${sourceLanguage} to ${targetLanguage}.`,
      )
    else {
      try {
        engines.push(openEngine(hub, provider, source))
      } catch (error) {
        if (!(error instanceof CannotTranslate)) throw error
        reasons.push(error.message)
      }
    }
  }
  return { engines, reasons, isGone }
}

function togetherOf(all: readonly Languages[]): Languages {
  const targets = new Map<string, Set<string>>()
  for (const { pairs } of all)
    for (const pair of pairs) {
      const known = targets.get(pair.source) ?? new Set()
      for (const target of pair.targets) known.add(target)
      targets.set(pair.source, known)
    }
  return {
    pairs: [...targets].map(([source, known]) => ({ source, targets: [...known] })),
    has: (source, target) => all.some((one) => one.has(source, target)),
  }
}
