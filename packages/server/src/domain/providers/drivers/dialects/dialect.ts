/** How an engine is spoken to: one file for each kind of engine. Pure; who calls, and how often, is told elsewhere. */

export type EngineCall = {
  readonly texts: readonly string[]
  readonly source: string
  readonly target: string
  readonly format: 'html' | 'text'
}
export type EngineAddress = { readonly url: string; readonly apiKey?: string; readonly timeoutSeconds: number }
/** A language that an engine reads, and those that it writes from it, as the hub calls them. */
export type Pair = { readonly source: string; readonly targets: readonly string[] }

export type Dialect = {
  readonly name: string
  /** In one call; any number unless said. */
  readonly mostTexts?: (format: EngineCall['format']) => number
  readonly translate: {
    readonly path: string
    readonly contentType: string
    readonly body: (at: EngineAddress, call: EngineCall) => string
    /** The answer, parsed: as many texts as were sent, in their order; undefined where its form is not known. */
    readonly read: (answer: unknown, call: EngineCall) => readonly string[] | undefined
  }
  /** How the engine calls a language of the hub. */
  readonly codeOf: (code: string) => string
  readonly languages: {
    readonly path: string
    readonly read: (answer: unknown) => readonly Pair[] | undefined
  }
  /** The sentence of the engine in an answer that is an error. */
  readonly errorIn: (answer: unknown) => unknown
}

/** A member of an object that came from outside. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

export const isText = (value: unknown): value is string => typeof value === 'string'
