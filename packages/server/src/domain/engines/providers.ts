/** Providers of a site: list, find, create, change; and what a job requires of its provider. */
import {
  type Detail,
  HubError,
  limits,
  type NewProvider,
  type Provider,
  type ProviderChange,
  type ProviderConfig,
  type ProviderFill,
  type ProviderLimits,
} from '@dragoman/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import { openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { ProviderRow } from '../../store/tables.ts'
import { factsOf } from '../access/audit/acts.ts'
import { type Actor, recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call, type Caller, creatorOf, mayCall } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { mustFit } from '../access/quota.ts'
import { lockSite } from '../access/sites.ts'
import { type Driver, peopleTypes } from './drivers/driver.ts'
import { driverOf, drivers } from './drivers/drivers.ts'
import { resumeHeld } from './drivers/engine-costs.ts'
import { openPart, sealConfig, sealedNames, withStoredSecrets } from './drivers/sealed-config.ts'
import { mustFindEngine } from './find-engine.ts'
import { metadataFaults, mustBeSafeSchema } from './metadata-schema.ts'
import {
  countProviders,
  insertProvider,
  selectEnabled,
  selectProvider,
  selectProviders,
  updateProvider,
} from './provider-rows.ts'
import { forgetRecording } from './recording-sites.ts'

export async function listProviders(
  hub: Hub,
  call: Call,
  asked: { navNext?: string; pageSize?: number },
): Promise<Page<Provider>> {
  const { siteId } = call.caller
  const limit = asked.pageSize ?? limits.pageItems
  const cursor = asked.navNext
    ? openCursor(hub.vault, siteId, 'providers', asked.navNext)
    : undefined
  const rows = await selectProviders(hub.db.read, siteId, {
    ...(cursor ? { after: cursor.key } : {}),
    ...onlyOf(call.caller),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const items = await Promise.all(page.map((row) => describeWithLanguages(hub, row)))
  if (rows.length <= limit || !last) return { items }
  const key = [last.created_at, last.provider_id]
  return { items, next: sealCursor(hub.vault, siteId, { list: 'providers', key }) }
}

/** The providers that the caller sees, if not all of the site. */
function onlyOf({ work, ...caller }: Caller): { only?: readonly string[] } {
  if (work) return { only: work.providerIds }
  return mayCall(caller, 'content') ? {} : { only: caller.providerIds }
}

export async function findProvider(hub: Hub, call: Call, providerId: string): Promise<Provider> {
  const row = await mustFindProvider(hub.db.read, call.caller.siteId, providerId)
  mustSee(call, providerId)
  return describeWithLanguages(hub, row)
}

/** A provider client sees only the providers that it works for. */
export function mustSee({ caller }: Call, providerId: string): void {
  if (!mayCall(caller, 'content') && !caller.providerIds.includes(providerId))
    throw missing(providerId)
}

export const findProviderIfAny = (
  db: Db,
  siteId: string,
  providerId: string,
): Promise<ProviderRow | undefined> => selectProvider(db, siteId, providerId)

export async function mustFindProvider(
  db: Db,
  siteId: string,
  providerId: string,
): Promise<ProviderRow> {
  const row = await selectProvider(db, siteId, providerId)
  if (!row) throw missing(providerId)
  return row
}

/** At most two enabled providers of the site: enough to know whether there is exactly one. */
export const listEnabledProviders = (db: Db, siteId: string): Promise<ProviderRow[]> =>
  selectEnabled(db, siteId, { limit: 2 })

const missing = (providerId: string) => new HubError('PROVIDER_NOT_FOUND', { providerId })

/** A disabled provider keeps its jobs but gets no new ones. */
export function mustBeEnabled({
  provider_id,
  status,
}: Pick<ProviderRow, 'provider_id' | 'status'>): void {
  if (status === 'DISABLED') throw new HubError('PROVIDER_DISABLED', { providerId: provider_id })
}

/** What it passes its work on to must be enabled too. */
export async function mustTakeWork(db: Db, provider: ProviderRow): Promise<void> {
  mustBeEnabled(provider)
  const providerId = await missingOf(db, provider)
  if (providerId !== undefined) throw new HubError('PROVIDER_DISABLED', { providerId })
}

/** A provider that it needs, and that is disabled. */
export const missingOf = async (db: Db, provider: ProviderRow): Promise<string | undefined> =>
  driverOf(provider.type_id)?.missing?.(db, provider)

/**
 * Refuses metadata that does not match the provider's schema. A provider without a schema accepts
 * anything.
 */
export function mustAcceptMetadata(provider: ProviderRow, metadata: object): void {
  if (!provider.metadata_schema) return
  refuseMetadata(metadataFaults(provider.metadata_schema, metadata))
}

/** The metadata of a request, as JSON text. */
export function mustAcceptRequestMetadata(
  { metadata_schema: schema }: ProviderRow,
  requestId: string,
  text: string,
): void {
  if (!schema) return
  const faults = metadataFaults(schema, JSON.parse(text))
  const at = `requests.${requestId}.`
  refuseMetadata(faults.map(({ path, message }) => ({ path: `${at}${path}`, message })))
}

function refuseMetadata(faults: readonly Detail[]): void {
  if (faults.length === 0) return
  const because = `${faults.map((fault) => `${fault.path} ${fault.message}`).join('; ')}.`
  throw new HubError('METADATA_INVALID', { because }, { details: [...faults] })
}

export async function createProvider(hub: Hub, call: Call, input: NewProvider): Promise<Provider> {
  const { siteId } = call.caller
  const { read } = hub.db
  await mustFitType(hub, { typeId: input.typeId, config: input.config ?? {} }, { db: read, siteId })
  await mustFitFill(read, siteId, input.typeId, input.fill)
  if (input.extendedMetadataSchema) await mustBeSafeSchema(input.extendedMetadataSchema)
  const owner = { siteId, creatorId: creatorOf(call.caller), by: actorOf(call) }
  const made = await once(hub, call, async (tx) => {
    await lockSite(tx, siteId)
    mustFit(call.caller, 'MaxProvidersPerSite', await countProviders(tx, siteId))
    return describeProvider(await addProvider(hub, tx, owner, input))
  })
  forgetRecording(hub, siteId)
  return made
}

type Owner = {
  readonly siteId: string
  readonly creatorId: string
  readonly by: Actor
  readonly now?: number
}

/** Inserts an enabled provider; also used for the providers of a new sandbox site. */
export async function addProvider(
  hub: Hub,
  tx: Db,
  { siteId, creatorId, by, now = hub.clock.now() }: Owner,
  input: NewProvider,
): Promise<ProviderRow> {
  const row = await insertProvider(tx, {
    provider_id: newId(),
    site_id: siteId,
    name: input.name,
    type_id: input.typeId,
    status: 'ENABLED',
    config: storedConfig(hub, input.typeId, input.config ?? {}),
    metadata_schema: input.extendedMetadataSchema
      ? JSON.stringify(input.extendedMetadataSchema)
      : null,
    limits: storedLimits(input.limits),
    fill: storedFill(input.fill),
    creator_id: creatorId,
    created_at: now,
    modified_at: now,
  })
  const facts = factsOf('provider', undefined, factual(row))
  await recordActs(hub, tx, by, [
    { thing: 'provider', verb: 'created', id: row.provider_id, siteId, ...facts },
  ])
  return row
}

export const factual = ({ type_id: typeId, status }: ProviderRow) => ({ typeId, status })

const storedLimits = (limits: ProviderLimits = {}): string | null =>
  Object.keys(limits).length === 0 ? null : JSON.stringify(limits)

/** Nothing to take it from: nothing is filled in. */
const storedFill = (fill: ProviderFill | undefined): string | null =>
  fill && fill.from.length > 0 ? JSON.stringify(fill) : null

const changeable = [
  ...(['name', 'status', 'config', 'extendedMetadataSchema', 'limits', 'fill'] as const),
]

export async function changeProvider(
  hub: Hub,
  call: Call,
  providerId: string,
  input: ProviderChange,
): Promise<Provider> {
  if (input.extendedMetadataSchema) await mustBeSafeSchema(input.extendedMetadataSchema)
  const { siteId } = call.caller
  const described = await hub.db.transact(async (tx) => {
    const provider = await mustFindProvider(tx, siteId, providerId)
    await mustFitFill(tx, siteId, provider.type_id, input.fill)
    const config = input.config && newConfig(hub, provider, input)
    if (config) await mustFitType(hub, { typeId: provider.type_id, config }, { db: tx, siteId })
    const changed = await updateProvider(tx, siteId, providerId, {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(config === undefined ? {} : { config: storedConfig(hub, provider.type_id, config) }),
      ...(input.extendedMetadataSchema === undefined
        ? {}
        : { metadata_schema: JSON.stringify(input.extendedMetadataSchema) }),
      ...(input.limits === undefined ? {} : { limits: storedLimits(input.limits) }),
      ...(input.fill === undefined ? {} : { fill: storedFill(input.fill) }),
      modified_at: hub.clock.now(),
    })
    if (input.limits || config || input.status) await resumeHeld(hub, tx, provider)
    const fields = changeable.filter((name) => input[name] !== undefined)
    const facts = factsOf('provider', factual(provider), factual(changed ?? provider))
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'provider', verb: 'changed', id: providerId, fields, ...facts },
    ])
    return describeProvider(changed ?? provider)
  })
  forgetRecording(hub, siteId)
  return described
}

/** The config as it will be, with the secrets that stay. */
function newConfig(hub: Hub, provider: ProviderRow, { config = {}, keepSecrets }: ProviderChange) {
  if (!keepSecrets) return config
  const whole = withStoredSecrets(hub.vault, provider, config)
  if (whole) return whole
  const [secret = ''] = sealedNames(provider.config).filter((name) => !(name in config))
  throw invalid(
    `config/${secret}`,
    'send it again: a secret is not kept when the url leads to another host or the dialect changes',
  )
}

export async function findProviderConfig(
  hub: Hub,
  call: Call,
  providerId: string,
): Promise<ProviderConfig> {
  const { config } = await mustFindProvider(hub.db.read, call.caller.siteId, providerId)
  return { providerId, config: { ...openPart(config) }, secrets: sealedNames(config) }
}

const checks = new Map<object, ValidateFunction>()

function checkOf(
  { schemaFor, configSchema }: Driver,
  config: Record<string, unknown>,
): ValidateFunction {
  const schema = schemaFor?.(config) ?? configSchema
  const known = checks.get(schema)
  if (known) return known
  const check = new Ajv({ allErrors: true }).compile(schema)
  checks.set(schema, check)
  return check
}

const storedConfig = (hub: Hub, typeId: string, config: Record<string, unknown>): string =>
  sealConfig(hub.vault, driverOf(typeId)?.configSchema ?? {}, config)

type Typed = { readonly typeId: string; readonly config: Record<string, unknown> }
type AtSite = { readonly db: Db; readonly siteId: string }

async function mustFitType(hub: Hub, { typeId, config }: Typed, site: AtSite): Promise<void> {
  const driver = driverOf(typeId)
  const known = drivers.map((one) => one.typeId).join(', ')
  if (!driver) throw invalid('typeId', `this hub has no provider type "${typeId}"; it has ${known}`)
  const check = checkOf(driver, config)
  if (!check(config)) throw refusal((check.errors ?? []).map(describeFault))
  const fault = await driver.faultIn?.(hub, config, site)
  if (fault) throw invalid(`config/${fault.path}`, fault.message)
}

/** Only people find something filled in; an engine that it names must be one of the site. */
async function mustFitFill(
  db: Db,
  siteId: string,
  typeId: string,
  fill: ProviderFill | undefined,
): Promise<void> {
  if (!fill || fill.from.length === 0) return
  if (!peopleTypes.has(typeId))
    throw invalid('fill', `is for providers of the types ${[...peopleTypes].join(' and ')}`)
  if (fill.from.includes('ENGINE'))
    await mustFindEngine(db, siteId, { providerId: fill.providerId, path: 'fill/providerId' })
}

/** Each fault at its own field, so that a form can show it there. */
function describeFault({
  instancePath,
  keyword,
  params,
  message = 'does not fit the type',
}: ErrorObject): Detail {
  const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : ''
  return { path: `config${instancePath}${missing}`, message }
}

const invalid = (path: string, message: string) => refusal([{ path, message }])

function refusal(details: Detail[]): HubError {
  const [first] = details
  return new HubError(
    'INVALID_REQUEST',
    { because: `${first?.path}: ${first?.message}.` },
    { details },
  )
}

/** With what its engine says of itself. */
async function describeWithLanguages(hub: Hub, row: ProviderRow): Promise<Provider> {
  const provider = describeProvider(row)
  const pairs =
    row.status === 'ENABLED'
      ? (await driverOf(row.type_id)?.languages?.(hub, row))?.pairs
      : undefined
  if (!pairs?.length) return provider
  // Most engines translate between all of their languages: one row instead of hundreds.
  const rows = new Map<string, { sources: string[]; targets: string[] }>()
  for (const { source, targets } of pairs) {
    const row = rows.get(targets.join(' '))
    if (row) row.sources.push(source)
    else rows.set(targets.join(' '), { sources: [source], targets: [...targets] })
  }
  const supportedLanguages = [...rows.values()]
  return { ...provider, capabilities: { ...provider.capabilities, supportedLanguages } }
}

export function describeProvider(row: ProviderRow): Provider {
  const schema = row.metadata_schema ? JSON.parse(row.metadata_schema) : undefined
  return {
    id: row.provider_id,
    name: row.name,
    siteId: row.site_id,
    creatorId: row.creator_id,
    status: row.status,
    typeId: row.type_id,
    capabilities: {
      supportUpdateTM: false,
      supportQuote: false,
      ...driverOf(row.type_id)?.capabilities,
    },
    ...(row.limits === null ? {} : { limits: JSON.parse(row.limits) }),
    ...(row.fill === null ? {} : { fill: JSON.parse(row.fill) }),
    ...(schema ? { extendedMetadataSchema: schema } : {}),
  }
}
