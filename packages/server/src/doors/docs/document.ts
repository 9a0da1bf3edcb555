/** The parts of the OpenAPI document that the site at /docs reads, and the groups that it shows the calls in. */
import { openapi } from '@dragoman/contract'

export type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
  readonly 'x-accepted'?: readonly string[]
} & Readonly<Record<string, unknown>>

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>
export type Answer = { readonly description: string; readonly content?: Content }

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security: readonly { readonly oauth2?: readonly string[] }[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}

export type Call = { readonly method: string; readonly path: string; readonly operation: Operation }

export type Document = {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export const readDocument = (): Document => openapi() as unknown as Document

export type Group = {
  readonly tag: string
  readonly label: string
  readonly says: string
  readonly calls: readonly Call[]
}

/** What each group is called for readers, and what it is for. A tag without a row stands under its own name. */
const groupRows: Readonly<Record<string, readonly [label: string, says: string]>> = {
  Token: ['Tokens', 'Get an access token with the credentials of a client, and revoke one.'],
  Providers: ['Providers', 'Who translates: people, agencies and translation engines.'],
  Jobs: ['Jobs', 'Create a job, submit it, follow it and close it.'],
  Requests: ['Requests', 'The content items of a job, each in one target language; review what comes back.'],
  FileTransfer: ['Files', 'Send source files and download translations.'],
  SupportAssets: ['Support assets', 'Files that help translators: glossaries, screenshots, style guides.'],
  TranslationMemory: ['Translation memory', 'Give corrected translations back, so that later jobs reuse them.'],
  StatusUpdates: ['Status updates', 'What has changed since you last asked, for connectors that poll.'],
  Listeners: ['Listeners', 'URLs of yours that the hub calls when something changes.'],
  ProviderSide: ['Provider API', 'For providers: fetch work, download sources, deliver translations.'],
  Settings: ['Settings', 'Analysis codes and price lists of a site.'],
  Quota: ['Quotas', 'How much your client may use, and how much it does.'],
  Operating: ['Operating', 'Clients, people, sites, deliveries, tasks, findings, logs and reports.'],
}

/** The calls of each tag, both in document order. */
export function groupsOf(document: Document): Group[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  )
  return document.tags.map(({ name }) => ({
    tag: name,
    label: groupRows[name]?.[0] ?? name,
    says: groupRows[name]?.[1] ?? '',
    calls: calls.filter((call) => call.operation.tags[0] === name),
  }))
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** The only schema of a body or a response, with its media type. */
export function contentOf(
  holder: { readonly content?: Content } | undefined,
): { type: string; schema: Schema } | undefined {
  const [first] = Object.entries(holder?.content ?? {})
  return first && { type: first[0], schema: first[1].schema }
}

/** The error codes of a response: the document puts each in backticks. */
export const codesOf = (answer: Answer): string[] =>
  [...answer.description.matchAll(/`([A-Za-z_]+)`/g)].map((found) => found[1] ?? '')
