/** curl in a POSIX shell. */
import type { SampleCall } from './sample-call.ts'
import { addressOf, type CodeOptions, formOf, indented, isAuthorized, jsonOf } from './written.ts'

export function curlCode(call: SampleCall, options: CodeOptions): string {
  if (call.send === 'tus') return tus(call, options)
  const { method, body, query, headers, downloads, uploads, sends } = call
  const isForm = call.send === 'form'
  const inQuery = method === 'GET' && Object.keys(query).length > 0
  const verb =
    method === 'GET' || (method === 'POST' && (body !== undefined || sends !== undefined))
      ? ''
      : ` -X ${method}`
  const address = addressOf(inQuery ? { ...call, query: {} } : call, options)
  const flags = `-s${inQuery ? 'G' : ''}${downloads === undefined ? '' : 'L'}${verb}`
  const lines = [
    `curl ${flags} ${shell(address)}`,
    ...(isAuthorized(call) ? [bearer(options)] : []),
    ...(inQuery ? pairsOf(query).map((pair) => `--data-urlencode ${shell(pair)}`) : []),
    ...(isForm
      ? []
      : Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`)),
    ...(isForm ? formOf(body).map(([name, value]) => `-d ${shell(`${name}=${value}`)}`) : []),
    ...(body !== undefined && !isForm ? [`-d ${shell(indented(jsonOf(body), '  '))}`] : []),
    ...(sends === undefined ? [] : [`--data-binary @${shell(sends)}`]),
    ...(downloads === undefined ? [] : [`-o ${shell(downloads)}`]),
  ]
  const sent = lines.join(' \\\n  ')
  if (uploads === undefined) return sent
  return `transfer=$(${sent})
url=$(echo "$transfer" | sed 's/.*"fmsPostMultipartUrl":"\\([^"]*\\)".*/\\1/')
curl -s "$url" -F file=@${shell(uploads)}`
}

function tus(call: SampleCall, options: CodeOptions): string {
  const { headers, uploads = '' } = call
  const given = Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`)
  return `upload=$(curl -s -X POST -D - ${shell(addressOf(call, options))} \\
  ${given.join(' ')} \\
  -H "Upload-Length: $(wc -c < ${shell(uploads)} | tr -d ' ')" \\
  -H "Upload-Metadata: name $(printf %s ${shell(uploads)} | base64)" |
  tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')
curl -s -X PATCH ${shell(new URL(options.baseUrl).origin)}"$upload" \\
  ${given.join(' ')} \\
  -H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' \\
  --data-binary @${shell(uploads)}`
}

const bearer = ({ token }: CodeOptions): string =>
  token === undefined
    ? '-H "Authorization: Bearer $TOKEN"'
    : `-H ${shell(`Authorization: Bearer ${token}`)}`

const pairsOf = (query: SampleCall['query']): string[] =>
  Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))

/**
 * Unquoted if possible, in double quotes if it contains single quotes, otherwise in single quotes.
 */
function shell(text: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(text)) return text
  return text.includes("'") && !/["$`\\!]/.test(text)
    ? `"${text}"`
    : `'${text.replaceAll("'", `'\\''`)}'`
}
