/**
 * The protocol of an engine, as data: one file for each kind of engine. Pure: calling, signing at a
 * time, retrying, counting and verifying happen elsewhere, and in the same way for every dialect.
 */

/** A limit as the vendor counts it; CHARACTERS are code points. */
export type Size = { readonly most: number; readonly unit: 'BYTES' | 'CHARACTERS' }

/** A translation that is like a text: not its translation, but an example to follow. */
export type Reference = {
  readonly source: string
  readonly target: string
  readonly percent: number
}
/** What an engine may be told about a text. */
export type AboutText = {
  readonly before?: string
  readonly after?: string
  readonly notes?: readonly string[]
  readonly references?: readonly Reference[]
}
export type EngineTerm = { readonly source: string; readonly target: string }

/** A glossary in the account of the vendor. */
export type MadeGlossary = { readonly id: string; readonly name: string; readonly isReady: boolean }

export type EngineCall = {
  readonly texts: readonly string[]
  /** The languages are the engine's own codes. */
  readonly source: string
  readonly target: string
  /**
   * In `html`, codes are `<x id="1"/>` and `<g id="2">…</g>` and the text is escaped; in `text`
   * they are `⟦1⟧`.
   */
  readonly format: 'html' | 'text'
  /** Parallel to `texts`; only what `takes` names. */
  readonly about?: readonly AboutText[]
  readonly terms?: readonly EngineTerm[]
  /** The id of the glossary that the hub made of the site's terms. */
  readonly glossary?: string
  /** What was wrong with a first answer, for an engine that reads. */
  readonly wrong?: string
}

export type EngineAddress = {
  readonly url: string
  readonly apiKey?: string
  readonly timeoutSeconds: number
  /** The dialect's own settings, valid by its schema. */
  readonly own?: Readonly<Record<string, unknown>>
  /** What no message may contain. */
  readonly secrets?: readonly string[]
}

/** A call as it goes out; `path` is appended to the address. GET and DELETE without a body. */
export type EngineRequest = {
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType?: string
  readonly body?: string
}

/** A source language of an engine and its target languages, in the hub's codes. */
export type LanguagePair = { readonly source: string; readonly targets: readonly string[] }

/**
 * A translated text. `unknown`: how many words the engine says it does not know; `logProbability`:
 * the mean of its tokens.
 */
export type Answer =
  | string
  | { readonly text: string; readonly unknown: number; readonly logProbability?: number }

/**
 * Why there is no translation, which decides what is done. LATER: try again by the schedule.
 * SMALLER: send halves. QUOTA: hold the work. KEY, PAIR and REFUSED: ask the next engine, else the
 * request gets the sentence.
 */
export type Cause = 'LATER' | 'SMALLER' | 'QUOTA' | 'KEY' | 'PAIR' | 'REFUSED'
/** `sentence` is the engine's own message, if it has one. */
export type EngineFault = { readonly cause: Cause; readonly sentence?: unknown }

/** The names are in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>

/** A request that is complete but for its signature. */
export type UnsignedRequest = EngineRequest & { readonly url: string }
export type SignatureHeaders = Readonly<Record<string, string>>

export type Dialect = {
  readonly name: string
  /** What an operator should know, in whole sentences: docs/engines.md. */
  readonly notes?: readonly string[]
  /** JSON Schema properties of its own, beside those of every engine (engine-config.ts). */
  readonly settings?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  /**
   * The address of a vendor's service, which may depend on the config; without it the config must
   * have a url.
   */
  readonly defaultUrl?: string | ((config: Readonly<Record<string, unknown>>) => string)
  /** What these settings of every engine mean here. */
  readonly says?: { readonly url?: string; readonly apiKey?: string }
  /** What is wrong with a config that is valid by the schema. */
  readonly faultIn?: (
    config: Readonly<Record<string, unknown>>,
  ) => { path: string; message: string } | undefined
  /** `html` by default. */
  readonly format?: EngineCall['format']
  readonly limits: {
    /** Texts per call; unlimited by default. */
    readonly texts?: number
    /** The same in the format `text`, if it differs. */
    readonly plainTexts?: number
    readonly perText?: Size
    readonly perCall: Size
    /** What the dialect adds to each text, in the unit of `perCall`. */
    readonly around?: number
  }
  readonly cost: {
    readonly unit: 'CHARACTERS' | 'TOKENS'
    /** What a call will cost at most, as the vendor counts. */
    readonly estimate: (call: EngineCall) => number
    /** What the vendor says that it costs, of any type; undefined if it says nothing. */
    readonly billed?: (answer: unknown, headers: AnswerHeaders) => unknown
  }
  readonly translate: {
    readonly request: (at: EngineAddress, call: EngineCall) => EngineRequest
    /**
     * The texts of a parsed answer in the order of the call, by id where the engine has ids. An
     * undefined text: the engine gave none for it. Undefined: the answer has another form.
     */
    readonly read: (
      answer: unknown,
      call: EngineCall,
    ) => readonly (Answer | undefined)[] | undefined
  }
  /** Whether the engine understands a second call that says what was wrong with its answer. */
  readonly repairs?: boolean
  /**
   * A small call and the settings to make it with, best first: those that the server answers are
   * kept (engine-probe.ts).
   */
  readonly probe?: {
    readonly call: EngineCall
    readonly variants: (
      own: Readonly<Record<string, unknown>>,
    ) => readonly Readonly<Record<string, unknown>>[]
  }
  /** Headers that depend on the whole request and the time. */
  readonly sign?: (
    at: EngineAddress,
    request: UnsignedRequest,
    now: number,
  ) => SignatureHeaders | Promise<SignatureHeaders>
  /** Absent if the engine has no list: then no pair is refused. */
  readonly languages?: {
    readonly request: (at: EngineAddress) => EngineRequest
    readonly read: (answer: unknown) => readonly LanguagePair[] | undefined
  }
  /** The engine's code for a language of the hub. */
  readonly codeOf: (code: string, as: 'source' | 'target') => string
  readonly errorOf: (status: number, answer: unknown, headers?: AnswerHeaders) => EngineFault
  /**
   * An engine that takes terms as a glossary, which is made before the first call
   * (engine-glossary.ts).
   */
  readonly glossaries?: {
    /** Undefined: this config does not use glossaries of the hub. */
    readonly pairOf: (
      call: Pick<EngineCall, 'source' | 'target'>,
      at: EngineAddress,
    ) => string | undefined
    readonly list: (at: EngineAddress) => EngineRequest
    readonly read: (answer: unknown) => readonly MadeGlossary[] | undefined
    readonly create: (
      at: EngineAddress,
      call: Pick<EngineCall, 'source' | 'target'>,
      made: { readonly name: string; readonly terms: readonly EngineTerm[] },
    ) => EngineRequest
    readonly created: (answer: unknown) => MadeGlossary | undefined
    readonly remove: (at: EngineAddress, id: string) => EngineRequest
  }
  /** What it can be told beside the texts. */
  readonly takes?: {
    readonly terms?: boolean
    readonly references?: boolean
    readonly context?: boolean
  }
}

/** Judges by the status alone, as most engines mean it. */
export function causeOf(status: number): Cause {
  if (status === 429 || status === 408 || status === 425 || status >= 500) return 'LATER'
  if (status === 400 || status === 413) return 'SMALLER'
  return status === 401 || status === 403 ? 'KEY' : 'REFUSED'
}

/** Two units of UTF-16 may be one character. */
export const charactersOf = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
/** For vendors that count the characters of the source. */
export const sourceCharacters = ({ texts }: Pick<EngineCall, 'texts'>): number =>
  texts.reduce((sum, text) => sum + charactersOf(text), 0)

export const sizeOf = (text: string, unit: Size['unit']): number =>
  unit === 'BYTES' ? Buffer.byteLength(text) : charactersOf(text)

/** A member of an untrusted object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

export const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * What several texts cost together; undefined if it is said of none, and the first that is no
 * number as it is.
 */
export function sumOfCounts(counts: readonly unknown[]): unknown {
  if (counts.every((count) => count === undefined || count === null)) return undefined
  const odd = counts.find((count) => typeof count !== 'number')
  return odd === undefined ? (counts as number[]).reduce((sum, one) => sum + one, 0) : odd
}
