/**
 * What the search box finds: the guides with their whole text, and what the reference names: calls,
 * fields, errors, states, settings; then the decisions by title. Two lists, generated once; a
 * browser loads them when the box is first opened.
 */
import {
  archiveStatuses,
  errorCodes,
  errors,
  jobStatuses,
  requestStatuses,
} from '@dragoman/contract'
import { pathOfCall, pathOfError, type SiteContext } from './context.ts'
import {
  type Call,
  codesOf,
  contentOf,
  type Document,
  type Group,
  nameOf,
  type Schema,
} from './document.ts'
import type { Guide } from './guides.ts'
import { readSections } from './markdown.ts'

type Kind = 'Calls' | 'Fields' | 'Errors' | 'States' | 'Settings' | 'Decisions'
/** Kind, title, a line about it, path after the prefix, and what else is on the page. */
type SearchRow = readonly [kind: Kind, title: string, says: string, path: string, text?: string]
/**
 * A guide with the text of its sections; the first, before any heading, has neither title nor id.
 */
type GuideRow = readonly [
  title: string,
  path: string,
  sections: readonly (readonly [string, string, string])[],
]

/** The configuration keys of the server, each with its description. */
export type Settings = Readonly<Record<string, { readonly says: string }>>

export function searchIndex(
  { document }: SiteContext,
  groups: readonly Group[],
  guides: readonly Guide[],
  settings: Settings,
): SearchRow[] {
  const calls = groups.flatMap((group) => group.calls)
  const codes = calls.flatMap(errorsOf)
  // An error that most calls have says nothing about one of them.
  const isCommon = (code: string): boolean =>
    codes.filter((one) => one === code).length > calls.length / 2
  return [
    ...calls.map((call): SearchRow => {
      const { operationId, summary } = call.operation
      const says = `${call.method} ${call.path} · ${operationId}`
      return ['Calls', summary, says, pathOfCall(call), textOfCall(document, call, isCommon)]
    }),
    ...errorCodes.map(
      (code): SearchRow => [
        'Errors',
        code,
        `${errors[code].status} · ${errors[code].says}`,
        pathOfError(code),
      ],
    ),
    ...statesOf('Job', jobStatuses, 'job'),
    ...statesOf('Request', requestStatuses, 'request'),
    ...statesOf('Archive status', archiveStatuses, 'archive'),
    ...Object.entries(settings).map(
      ([key, { says }]): SearchRow => ['Settings', key, says, `/docs/guides/config#${key}`],
    ),
    ...calls.flatMap((call) =>
      (call.operation.parameters ?? [])
        .filter((one) => one.in === 'query')
        .map((one): SearchRow => {
          const says = `${call.method} ${call.path}${one.description === undefined ? '' : ` · ${one.description}`}`
          return ['Fields', one.name, says, `${pathOfCall(call)}#query.${one.name}`]
        }),
    ),
    ...inFewPlaces(
      Object.entries(document.components.schemas).flatMap(([name, schema]) =>
        fieldRows(name, schema),
      ),
    ),
    ...guides
      .filter(({ shelf }) => shelf === undefined)
      .map(({ title, path }): SearchRow => ['Decisions', title, '', path]),
  ]
}

/** The whole text of the guides, for the same search. */
export const guideIndex = (guides: readonly Guide[]): GuideRow[] =>
  guides
    .filter(({ shelf }) => shelf !== undefined)
    .map(({ title, path, text }) => [
      title,
      path,
      readSections(text).map((section) => [section.title, section.id, section.text]),
    ])

const errorsOf = ({ operation }: Call): string[] =>
  Object.values(operation.responses).flatMap(codesOf)

/**
 * What the page of a call says besides its title: what it does, the fields of its body, and its
 * errors.
 */
function textOfCall(
  { components }: Document,
  call: Call,
  isCommon: (code: string) => boolean,
): string {
  const { operation } = call
  const body = contentOf(operation.requestBody)?.schema
  const { properties = {} } =
    (body?.$ref === undefined ? body : components.schemas[nameOf(body.$ref)]) ?? {}
  const codes = errorsOf(call).filter((code) => !isCommon(code))
  return [operation.description, Object.keys(properties).join(' '), codes.join(' ')]
    .filter(Boolean)
    .join('\n')
}

const statesOf = (of: string, states: readonly string[], section: string): SearchRow[] =>
  states.map((state) => ['States', state, of, `/docs/guides/states#${section}`])

const fieldRows = (name: string, { properties = {} }: Schema): SearchRow[] =>
  Object.entries(properties).map(([field, { description }]) => [
    'Fields',
    field,
    description === undefined ? name : `${name} · ${short(description)}`,
    `/docs/schemas/${name}#${name}.${field}`,
  ])

/** Many schemas share a field: three of those that describe it in the same words are enough. */
function inFewPlaces(rows: readonly SearchRow[]): SearchRow[] {
  const seen = new Map<string, number>()
  return rows.filter(([, field, says]) => {
    const key = `${field} ${says.slice(says.indexOf(' · '))}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count <= 3
  })
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
