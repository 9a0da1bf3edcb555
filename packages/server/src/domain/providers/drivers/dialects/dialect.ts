/** The protocol of an engine: one file for each kind of engine. Pure: calling and retrying happen elsewhere. */

export type EngineCall = {
  readonly texts: readonly string[]
  readonly source: string
  readonly target: string
  readonly format: 'html' | 'text'
}
export type EngineAddress = { readonly url: string; readonly apiKey?: string; readonly timeoutSeconds: number }
/** A source language of an engine and its target languages, in the hub's codes. */
export type Pair = { readonly source: string; readonly targets: readonly string[] }

export type Dialect = {
  readonly name: string
  /** Texts per call; unlimited by default. */
  readonly mostTexts?: (format: EngineCall['format']) => number
  readonly translate: {
    readonly path: string
    readonly contentType: string
    readonly body: (at: EngineAddress, call: EngineCall) => string
    /** The texts of a parsed response, as many as were sent and in their order; undefined if it has another form. */
    readonly read: (answer: unknown, call: EngineCall) => readonly string[] | undefined
  }
  /** The engine's code for a language of the hub. */
  readonly codeOf: (code: string) => string
  readonly languages: {
    readonly path: string
    readonly read: (answer: unknown) => readonly Pair[] | undefined
  }
  /** The message of an error response. */
  readonly errorIn: (answer: unknown) => unknown
}

/** A member of an untrusted object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

export const isText = (value: unknown): value is string => typeof value === 'string'
