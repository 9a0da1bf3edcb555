/**
 * The parts of the OpenAPI document that the site at /docs reads, and the groups in which it shows
 * the calls.
 */

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
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export type Group = {
  readonly tag: string
  readonly label: string
  readonly says: string
  readonly calls: readonly Call[]
}

/** Tags whose group has another name on the site, the one that readers use. */
const labels: Readonly<Record<string, string>> = {
  Token: 'Tokens',
  FileTransfer: 'Files',
  SupportAssets: 'Support assets',
  TranslationMemory: 'Translation memory',
  StatusUpdates: 'Status updates',
  ProviderSide: 'Provider API',
  Quota: 'Quotas',
}

/** The calls of each tag, both in document order. */
export function groupsOf(document: Document): Group[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Call => ({ method: method.toUpperCase(), path, operation }),
    ),
  )
  return document.tags.map(({ name, description }) => ({
    tag: name,
    label: labels[name] ?? name,
    says: description,
    calls: calls.filter((call) => call.operation.tags[0] === name),
  }))
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/**
 * The schema of a body or a response, with its media types: of JSON, where a file may come in its
 * place.
 */
export function contentOf(
  holder: { readonly content?: Content } | undefined,
): { type: string; schema: Schema } | undefined {
  const all = Object.entries(holder?.content ?? {})
  const shown = all.find(([type]) => type === 'application/json') ?? all[0]
  return shown && { type: all.map(([type]) => type).join(' or '), schema: shown[1].schema }
}

/** The error codes of a response: the document puts each in backticks. */
export const codesOf = (answer: Answer): string[] =>
  [...answer.description.matchAll(/`([A-Za-z_]+)`/g)].map((found) => found[1] ?? '')
