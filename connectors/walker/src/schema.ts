/**
 * What a walker is told about content: which of its values are texts. Whatever a schema does not
 * name is left alone.
 */

export type TextKind = 'PLAIN' | 'HTML' | 'MARKDOWN'
export type RichForm = 'lexical' | 'strapi' | 'gutenberg'

export type TextSchema = {
  readonly kind: TextKind
  /** For translators. */
  readonly note?: string
  readonly maxLength?: number
}
export type RichSchema = {
  readonly kind: 'RICH'
  readonly form: RichForm
  /** Blocks inside the rich text, by their name: their own fields. */
  readonly blocks?: Readonly<Record<string, Schema>>
  readonly note?: string
}
export type ObjectSchema = { readonly fields: Readonly<Record<string, Schema>> }
export type ListSchema = {
  readonly items: Schema
  /**
   * The name of the member that identifies an item. Paths then hold `#id` in place of a position,
   * and stay the same when the list is put into another order.
   */
  readonly key?: string
}
export type OneOfSchema = { readonly by: string; readonly of: Readonly<Record<string, Schema>> }
export type Schema = TextSchema | RichSchema | ObjectSchema | ListSchema | OneOfSchema

export type Text = {
  /** Names and positions, joined by points. A point or backslash in a name has a backslash. */
  readonly path: string
  readonly text: string
  readonly kind: TextKind | 'RICH'
  readonly note?: string
  readonly maxLength?: number
}

export type WalkerErrorCode = 'TOO_DEEP' | 'TOO_MANY_TEXTS' | 'TOO_LARGE' | 'CYCLE' | 'PROTO'

/** An Error with a `code`, which programs read, and a sentence for people. */
export function walkerError(
  code: WalkerErrorCode,
  sentence: string,
): Error & { readonly code: WalkerErrorCode } {
  return Object.assign(new Error(sentence), { code })
}

export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of a literal or of JSON; dates and instances of classes are values. */
export function isPlainObject(value: unknown): value is Members {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The member of an object itself, never one of its prototype. */
export const own = (value: Readonly<Members>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** A path one step longer. A name without characters is `\0`. */
export function step(path: string, name: string | number): string {
  const escaped = name === '' ? '\\0' : String(name).replace(/[\\.]/g, '\\$&')
  return path === '' ? escaped : `${path}.${escaped}`
}
