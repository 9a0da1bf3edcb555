/**
 * The building blocks of the schemas: text, ids, times, languages, metadata, pages, the error
 * object. Besides plain JSON Schema they use our own keywords, which the server's validator
 * implements and openapi.ts turns into text: maxBytes, maxCodePoints, notBlank, language, time,
 * maxJsonBytes, maxDepth, denyNull, aliases.
 */
import type { Static, TObject, TProperties, TSchema, TSchemaOptions } from 'typebox'
import { errorCodes } from '../errors.ts'
import { limits } from '../limits.ts'
import Type from './type.ts'

/** No NUL and no lone surrogate: neither can be stored as text. */
export const storable = '^[^\\u0000\\ud800-\\udfff]*$'

export const text = (maxBytes: number, options: TSchemaOptions = {}) =>
  Type.String({ maxBytes, pattern: storable, ...options })
export const name = (maxBytes: number, options: TSchemaOptions = {}) =>
  text(maxBytes, { minLength: 1, ...options })
/** Text for people: not blank. */
export const title = (maxBytes: number, options: TSchemaOptions = {}) =>
  name(maxBytes, { notBlank: true, ...options })
/** No control characters besides the tab, and nothing that turns the direction of what follows. */
export const oneLine =
  '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]*$'
/** A title in lists, mails and logs. */
export const lineTitle = (maxBytes: number) => name(maxBytes, { notBlank: true, pattern: oneLine })
export const choice = <const V extends string[]>(
  values: readonly [...V],
  options: TSchemaOptions = {},
) => Type.Enum(values, { type: 'string', ...options })

/** The site to which an operator narrows a call. Admins are limited to their own. */
export const GivenSiteId = name(100, { description: 'Only for an operator: one site.' })
export const forms = {
  jobId: 'Ten letters and digits.',
  id: '128 random bits, base64url.',
  givenId: 'An id of letters, digits, hyphens and underscores, at most 64 of them.',
  time: 'UTC with milliseconds.',
  language: 'A language code, exactly as sent.',
  day: 'A day, such as 2026-11-14.',
  utcDay: 'A UTC day, such as 2026-11-14.',
} as const
/** These state the form of a value, not its meaning. */
export const formSentences: ReadonlySet<unknown> = new Set(Object.values(forms))

/** An id as a caller sends it: a well-formed id of the wrong length does not exist. */
export const GivenId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: forms.givenId,
})

export const JobId = Type.String({ pattern: '^[A-Za-z0-9]{10}$', description: forms.jobId })
export const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', description: forms.id })
export const FileId = Type.String({ format: 'uuid' })

export const Time = Type.String({ format: 'date-time', description: forms.time })
export const GivenTime = Type.String({ time: true, maxLength: 40 })

export const LanguageCode = Type.String({ title: 'LanguageCode', language: true })
export const LanguageCodes = Type.Array(LanguageCode, {
  minItems: 1,
  maxItems: limits.targetLanguages,
})
/** Responses return languages as they were sent. */
export const EchoedCode = Type.String({ description: forms.language })

/** An object of free shape; its content is the caller's. */
export const freeObject = (maxJsonBytes: number, maxDepth: number, options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: true, maxJsonBytes, maxDepth, ...options }),
  )
export const Metadata = freeObject(limits.metadataBytes, limits.metadataDepth)
/** The same in a response, without limits: whatever was accepted is returned. */
export const EchoedMetadata = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true }),
)

export const mapOf = <S extends TSchema>(values: S, options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, Static<S>>>(
    Type.Object({}, { additionalProperties: values, ...options }),
  )

export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const Field = Type.Object(
  { key: name(limits.fieldKeyBytes), value: Type.String({ pattern: storable }) },
  {
    title: 'Field',
    description: 'One inline string. The size limit covers all keys and values together.',
  },
)
export const Fields = Type.Array(Field, { minItems: 1, maxItems: limits.fields })

type Spellings<P> = { readonly [other: string]: keyof P & string }

/** A body: accepts other spellings of a field, but only our own spelling is a property. */
export function given<P extends TProperties>(
  properties: P,
  aliases: Spellings<P> = {},
  options: TSchemaOptions = {},
) {
  return Type.Object(properties, {
    ...options,
    ...(Object.keys(aliases).length > 0 && { aliases }),
  })
}

/** A response: has both spellings. Our code writes one, the server adds the other. */
export function shown<P extends TProperties>(
  properties: P,
  aliases: Spellings<P> = {},
  options: TSchemaOptions = {},
) {
  const others = Object.entries(aliases).map(([other, ours]) => {
    const same: object = properties[ours] ?? {}
    return [other, Type.Optional({ ...same, description: `The same as ${ours}.` })]
  })
  const all: TProperties = { ...properties, ...Object.fromEntries(others) }
  return Type.Object(all, {
    ...options,
    ...(others.length > 0 && { aliases }),
  }) as TObject as TObject<P>
}

/** The parameters of a path, all ids. */
export function path<const N extends readonly string[]>(...names: N) {
  const properties: TProperties = Object.fromEntries(names.map((id) => [id, GivenId]))
  return Type.Object(properties) as TObject as TObject<{ [K in N[number]]: typeof GivenId }>
}

/** The parameters of every paged collection. `navNext` and `next` are two names of the cursor. */
export const paging = {
  navNext: Type.Optional(Type.String({ description: 'The cursor from the previous response.' })),
  next: Type.Optional(Type.String({ description: 'The same as navNext.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageItems })),
}
/** The query of a paged collection. If it has a statusCode, `status` is an alias. */
export const pageQuery = <P extends TProperties>(more: P) =>
  Type.Object(
    { ...paging, ...more },
    { aliases: { next: 'navNext', ...('statusCode' in more && { status: 'statusCode' }) } },
  )
export const PageQuery = pageQuery({})

/**
 * The page form (contract, section 3): a superset, so that every deployed client finds its own
 * spelling.
 */
export function page(collection: string, item: TSchema): TObject {
  const items = Type.Array(item, { description: 'The items of this page.' })
  const link = (description: string) =>
    Type.Object(
      { href: Type.String({ description: 'Path and query of the page.' }) },
      { description },
    )
  const cursor = Type.String({
    description: 'Pass it as `navNext` to get the next page. Absent on the last one.',
  })
  return Type.Object({
    pagination: Type.Object(
      { navNext: Type.Optional(cursor) },
      { description: 'Empty on the last page.' },
    ),
    [collection]: items,
    _embedded: Type.Optional(
      Type.Object(
        { [collection]: items },
        { description: 'The same items, for clients that look for them here.' },
      ),
    ),
    _links: Type.Optional(
      Type.Object(
        {
          self: link('This page.'),
          next: Type.Optional(link('The next page. Absent on the last one.')),
        },
        { description: 'This page and the next one. Not in the page format `plain`.' },
      ),
    ),
    next: Type.Optional(Type.String({ description: 'The same as pagination.navNext.' })),
  })
}

export const ErrorObject = Type.Object(
  {
    code: choice(errorCodes),
    message: Type.String(),
    details: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    ),
    quota: Type.Optional(
      Type.Object(
        { name: Type.String(), limit: Count, used: Count },
        { description: 'Only for QUOTA_EXCEEDED: the usage before the call.' },
      ),
    ),
    current: Type.Optional(
      Type.Object({}, { description: 'Only for VERSION_CONFLICT: the thing as it is now.' }),
    ),
    open: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Only for SEGMENTS_OPEN: how many segments are not translated.',
      }),
    ),
    by: Type.Optional(
      Type.Union([Type.Object({}), Type.String()], {
        description:
          'For ALREADY_CLAIMED: who has the task. For ALREADY_SUPERSEDED: the id of the newer request.',
      }),
    ),
    checks: Type.Optional(
      Type.Array(Type.Object({}), {
        description: 'Only for CHECKS_FAILED: what was found, and where.',
      }),
    ),
    problems: Type.Optional(
      Type.Array(Type.Object({}), {
        description: 'Only for PACKAGE_INVALID: each file, segment and reason.',
      }),
    ),
    field: Type.Optional(
      Type.String({ deprecated: true, description: 'The path of the first detail.' }),
    ),
    traceId: Type.String({ description: 'The x-request-id of the call.' }),
  },
  { title: 'Error' },
)
export type ErrorObject = Static<typeof ErrorObject>

/** The response of a call that gives a file: its bytes. */
export const FileBytes = Type.String({ format: 'binary' })

/** The target of a redirect; sent in the Location header, not in a body. */
export const Redirect = Type.Object({ location: Type.String() })
