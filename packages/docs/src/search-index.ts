/**
 * What the search box finds: calls, fields, errors, states, settings and guides. One list, generated once; the browser loads it
 * when the box is first opened.
 */
import { archiveStatuses, errorCodes, errors, jobStatuses, requestStatuses } from '@dragoman/contract'
import { pathOfCall, pathOfError, type SiteContext } from './context.ts'
import type { Group, Schema } from './document.ts'
import type { Guide } from './guides.ts'

export type Kind = 'Calls' | 'Fields' | 'Errors' | 'States' | 'Settings' | 'Guides'
/** Kind, title, a line about it, path after the prefix. */
export type SearchRow = readonly [kind: Kind, title: string, says: string, path: string]

/** The configuration keys of the server, each with its description. */
export type Settings = Readonly<Record<string, { readonly says: string }>>

export function searchIndex(
  { document }: SiteContext,
  groups: readonly Group[],
  guides: readonly Guide[],
  settings: Settings,
): SearchRow[] {
  return [
    ...groups.flatMap((group) =>
      group.calls.map((call): SearchRow => {
        const { operationId, summary } = call.operation
        return ['Calls', summary, `${call.method} ${call.path} · ${operationId}`, pathOfCall(call)]
      }),
    ),
    ...errorCodes.map(
      (code): SearchRow => ['Errors', code, `${errors[code].status} · ${errors[code].says}`, pathOfError(code)],
    ),
    ...statesOf('Job', jobStatuses, 'job'),
    ...statesOf('Request', requestStatuses, 'request'),
    ...statesOf('Archive status', archiveStatuses, 'archive'),
    ...Object.entries(settings).map(
      ([key, { says }]): SearchRow => ['Settings', key, says, `/docs/guides/config#${key}`],
    ),
    ...guides.flatMap(guideRows),
    ...groups.flatMap((group) =>
      group.calls.flatMap((call) =>
        (call.operation.parameters ?? [])
          .filter((one) => one.in === 'query')
          .map((one): SearchRow => {
            const says = `${call.method} ${call.path}${one.description === undefined ? '' : ` · ${one.description}`}`
            return ['Fields', one.name, says, `${pathOfCall(call)}#query.${one.name}`]
          }),
      ),
    ),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldRows(name, schema)),
  ]
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

function guideRows({ title, path, headings }: Guide): SearchRow[] {
  return headings.map(({ level, text, id, says }) =>
    level === 1 ? ['Guides', title, short(says), path] : ['Guides', text, title, `${path}#${id}`],
  )
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
