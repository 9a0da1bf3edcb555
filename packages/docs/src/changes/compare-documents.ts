/**
 * What changed between two OpenAPI documents of the hub, and what of it breaks a client: somebody
 * who sends and receives as before, or compiles against a client that is generated from the
 * document ([why](../../../../docs/decisions/doors.md)).
 */
import { type Answer, codesOf, type Document, type Operation, type Schema } from '../document.ts'
import { type Change, type CompareSchemas, schemasComparer } from './compare-schemas.ts'

export type { Change } from './compare-schemas.ts'

const errorForm: Schema = { $ref: '#/components/schemas/Error' }

/** Changes in the order of the new document; those that break come with the others. */
export function compareDocuments(was: Document, is: Document): Change[] {
  const [old, now] = [callsOf(was), callsOf(is)]
  const compare = schemasComparer(was.components.schemas, is.components.schemas)
  const gone = (on: string): Change => ({ on, at: '', says: 'was removed', breaks: true })
  const all = [
    ...[...old.keys()].filter((call) => !now.has(call)).map(gone),
    ...Object.keys(was.components.schemas)
      .filter((name) => !(name in is.components.schemas))
      .map(gone),
    ...compareCodes(statusesOf(was), statusesOf(is)),
    // The kept document leaves out the form of failures, which is this one.
    ...compare('received', { was: errorForm, is: errorForm, place: { on: 'Error', at: '' } }),
    ...[...now].flatMap(([call, operation]): Change[] => {
      const before = old.get(call)
      if (before) return compareCall(call, before, operation, compare)
      return [{ on: call, at: '', says: 'is new', breaks: false }]
    }),
  ]
  const seen = new Set<string>()
  return all.filter((change) => !seen.has(textOf(change)) && seen.add(textOf(change)))
}

/** A change in one line; the list of deliberate changes names it so. */
export const textOf = ({ on, at, says }: Change): string =>
  `${on}${at === '' ? '' : ` ${at}`}: ${says}`

const callsOf = ({ paths }: Document): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
  )

/** Every error code with its statuses. */
function statusesOf(document: Document): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { responses } of callsOf(document).values())
    for (const [status, answer] of failuresOf(responses))
      for (const code of codesOf(answer))
        found.set(code, (found.get(code) ?? new Set()).add(status))
  return found
}

/**
 * Programs tell errors by their code, so a code stays, with its status. A call may stop to give
 * one.
 */
function compareCodes(was: Map<string, Set<string>>, is: Map<string, Set<string>>): Change[] {
  return [...was].flatMap(([code, statuses]): Change[] => {
    const now = is.get(code)
    if (!now) return [{ on: code, at: '', says: 'was removed', breaks: true }]
    const other = [...now].filter((status) => !statuses.has(status))
    return other.map((status) => ({
      on: code,
      at: '',
      says: `has the status ${status}`,
      breaks: true,
    }))
  })
}

type Answers = Operation['responses']
const isFailure = ([status]: readonly [string, Answer]): boolean => Number(status) >= 400
const failuresOf = (answers: Answers) => Object.entries(answers).filter(isFailure)

function compareCall(on: string, was: Operation, is: Operation, compare: CompareSchemas): Change[] {
  const change = (at: string, says: string, breaks = true): Change => ({ on, at, says, breaks })
  return [
    ...(was.operationId === is.operationId
      ? []
      : [change('', `is named ${is.operationId}, was ${was.operationId}`)]),
    ...(is.deprecated && !was.deprecated ? [change('', 'is deprecated', false)] : []),
    ...lostScopes(was, is).map((scope) => change('', `no longer allows ${scope}`)),
    ...compareParameters(on, was, is, compare),
    ...compareBody(on, was, is, compare),
    ...compareAnswers(on, was.responses, is.responses, compare),
    ...newCodes(was.responses, is.responses).map(([status, code]) =>
      change(status, `may be ${code}`, false),
    ),
  ]
}

/**
 * The scopes that were enough and are not now. Without a scope, any token is enough; without
 * security, none is needed.
 */
function lostScopes(was: Operation, is: Operation): string[] {
  const scopes = ({ security }: Operation): string[] =>
    security.length === 0
      ? ['calls without a token']
      : security.flatMap(({ oauth2 }) => (oauth2?.length === 0 ? ['any token'] : (oauth2 ?? [])))
  const now = scopes(is)
  if (now.includes('any token') && was.security.length > 0) return []
  return scopes(was).filter((scope) => !now.includes(scope))
}

function compareParameters(
  on: string,
  was: Operation,
  is: Operation,
  compare: CompareSchemas,
): Change[] {
  const keyed = ({ parameters = [] }: Operation) =>
    new Map(parameters.map((one) => [`${one.in}.${one.name}`, one]))
  const [old, now] = [keyed(was), keyed(is)]
  const lost = [...old.keys()].filter((at) => !now.has(at))
  return [
    ...lost.map((at): Change => ({ on, at, says: 'was removed', breaks: true })),
    ...[...now].flatMap(([at, parameter]): Change[] => {
      const before = old.get(at)
      const place = { on, at }
      const demanded: Change[] =
        parameter.required && !before?.required
          ? [{ ...place, says: 'is required now', breaks: true }]
          : []
      if (!before)
        return [...demanded, { ...place, says: 'is new', breaks: false, added: parameter.schema }]
      return [...demanded, ...compare('sent', { was: before.schema, is: parameter.schema, place })]
    }),
  ]
}

function compareBody(on: string, was: Operation, is: Operation, compare: CompareSchemas): Change[] {
  const [old, now] = [was.requestBody, is.requestBody]
  const place = { on, at: 'body' }
  const demanded: Change[] =
    now?.required && !old?.required ? [{ ...place, says: 'is required now', breaks: true }] : []
  const known = Object.keys(old?.content ?? {})
  const fresh = Object.keys(now?.content ?? {}).filter((type) => !known.includes(type))
  return [
    ...demanded,
    ...fresh.map((type): Change => ({ ...place, says: `may be ${type}`, breaks: false })),
    ...known.flatMap((type): Change[] => {
      const [before, after] = [old?.content[type], now?.content[type]]
      if (!before || !after) return [{ ...place, says: `may no longer be ${type}`, breaks: true }]
      return compare('sent', { was: before.schema, is: after.schema, place })
    }),
  ]
}

/**
 * A program that knows the old statuses and media types must get one of them. Of failures, only the
 * form counts here.
 */
function compareAnswers(on: string, was: Answers, is: Answers, compare: CompareSchemas): Change[] {
  return Object.entries(is)
    .flatMap(([status, answer]): Change[] => {
      const before = was[status]
      const isGood = !isFailure([status, answer])
      if (!before)
        return isGood ? [{ on, at: status, says: 'is a new status of success', breaks: true }] : []
      const [old, now] = [before.content ?? {}, answer.content ?? {}]
      const types = Object.keys(now).filter((type) => !(type in old))
      const place = { on, at: status }
      return [
        ...(isGood && !Object.keys(old).every((type) => type in now) ? types : []).map(
          (type): Change => ({ ...place, says: `is ${type} now`, breaks: true }),
        ),
        ...Object.entries(now).flatMap(([type, { schema }]): Change[] => {
          const known: Schema | undefined = old[type]?.schema
          return known ? compare('received', { was: known, is: schema, place }) : []
        }),
      ]
    })
    .concat(
      Object.keys(was)
        .filter((status) => !(status in is) && Number(status) < 400)
        .map((status) => ({ on, at: status, says: 'was removed', breaks: true })),
    )
}

function newCodes(was: Answers, is: Answers): [status: string, code: string][] {
  const known = new Set(failuresOf(was).flatMap(([, answer]) => codesOf(answer)))
  return failuresOf(is).flatMap(([status, answer]) =>
    codesOf(answer)
      .filter((code) => !known.has(code))
      .map((code): [string, string] => [status, code]),
  )
}
