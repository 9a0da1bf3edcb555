/** A logged call as code: its path, a shell command, a call of the SDK. */
import { callTable, type LoggedCall } from '@dragoman/contract/wire'

/** The path with its ids. The log does not store the query. */
export const pathOf = ({ route, ids = {} }: LoggedCall): string =>
  route.replace(/:(\w+)/g, (whole, name: string) => ids[name] ?? whole)

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What a person did in the console, a client can do under /v2. */
const asClient = (path: string): string => path.replace(/^\/console\/api\b/, '/v2')

export function curlOf(call: LoggedCall, origin: string): string {
  const path = asClient(pathOf(call))
  const isApi = path.startsWith('/v2')
  const isForm = path.startsWith('/connect')
  return [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(origin + path)}`,
    ...(isApi ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(call.callBody && !isForm ? ["-H 'Content-Type: application/json'"] : []),
    ...(call.callBody ? [`--data ${quoted(call.callBody)}`] : []),
  ].join(' \\\n  ')
}

/** Undefined if the SDK has no function for it: transfers, tokens, downloads. */
export function sdkOf(call: LoggedCall): string | undefined {
  const path = asClient(call.route).replace(/:(\w+)/g, '{$1}')
  const wanted = `${call.method} ${path.replace(/^\/v2/, '')}`
  const [name] =
    Object.entries(callTable).find(([, row]) => row.call === wanted && !row.redirects) ?? []
  if (name === undefined || !path.startsWith('/v2')) return undefined
  const params = Object.entries(call.ids ?? {})
  const parts = [
    ...(params.length > 0 ? [`params: ${literal(Object.fromEntries(params))}`] : []),
    ...(call.callBody ? [`body: ${literal(parsed(call.callBody))}`] : []),
  ]
  return `await hub.${name}(${parts.length > 0 ? `{ ${parts.join(', ')} }` : ''})`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** As JavaScript: names are quoted only if necessary. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, inner]) =>
      `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${literal(inner)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
