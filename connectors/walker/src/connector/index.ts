/** The body that connectors for content systems share; each adds its system, and draws. */
export { type Connector, type ConnectorOptions, openConnector } from './connector.ts'
export type { Entry, Hub, Item, Records, Settings, Source, System, Writing } from './ports.ts'
export { isRefusal, type Refusal, refusal } from './refusal.ts'
export { targetsOf, usualSettings } from './settings.ts'
export type { Choice, Verdict } from './take.ts'
