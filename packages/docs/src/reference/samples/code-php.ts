/** PHP 8 with its built-in streams, which need no extension. */
import type { SampleCall } from './sample-call.ts'
import {
  addressOf,
  type CodeOptions,
  formOf,
  indented,
  isAuthorized,
  type Literals,
  literal,
} from './written.ts'

const php: Literals = {
  list: ['[', ']'],
  map: ['[', ']'],
  arrow: ' => ',
  words: {},
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  indent: '    ',
}
const text = php.text

export function phpCode(call: SampleCall, options: CodeOptions): string {
  if (call.send === 'tus') return tus(call, options)
  const { method, body, downloads, uploads } = call
  const lines = [
    `'method' => ${text(method)},`,
    `'header' => [${headersOf(call, options).join(', ')}],`,
    ...(call.sends === undefined ? [] : [`'content' => file_get_contents(${text(call.sends)}),`]),
    ...(body === undefined ? [] : [`'content' => ${contentOf(call)},`]),
  ]
  const sent = `$context = stream_context_create(['http' => [
    ${lines.map((line) => indented(line, '    ')).join('\n    ')}
]]);
$answer = file_get_contents(${text(addressOf(call, options))}, context: $context);`
  if (downloads !== undefined)
    return `<?php\n${sent}\nfile_put_contents(${text(downloads)}, $answer);`
  if (uploads === undefined) return `<?php\n${sent}\nprint_r(json_decode($answer, true));`
  return `<?php
${sent}
$transfer = json_decode($answer, true);

$boundary = bin2hex(random_bytes(16));
$form = "--$boundary\\r\\nContent-Disposition: form-data; name=\\"file\\"; filename=\\"${uploads}\\"\\r\\n\\r\\n"
    . file_get_contents(${text(uploads)}) . "\\r\\n--$boundary--\\r\\n";
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ["Content-Type: multipart/form-data; boundary=$boundary"],
    'content' => $form,
]]);
echo file_get_contents($transfer['fmsPostMultipartUrl'], context: $context);`
}

function tus(call: SampleCall, options: CodeOptions): string {
  const { uploads = '' } = call
  const given = headersOf(call, options).join(', ')
  return `<?php
$headers = [${given}];
$bytes = file_get_contents(${text(uploads)});
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [...$headers, 'Upload-Length: ' . strlen($bytes), 'Upload-Metadata: name ' . base64_encode(${text(uploads)})],
]]);
file_get_contents(${text(addressOf(call, options))}, context: $context);
$location = substr(current(preg_grep('/^location:/i', $http_response_header)), 10);

$context = stream_context_create(['http' => [
    'method' => 'PATCH',
    'header' => [...$headers, 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream'],
    'content' => $bytes,
]]);
file_get_contents(${text(new URL(options.baseUrl).origin)} . $location, context: $context);`
}

function headersOf(call: SampleCall, { token }: CodeOptions): string[] {
  const bearer =
    token === undefined
      ? "'Authorization: Bearer ' . getenv('TOKEN')"
      : text(`Authorization: Bearer ${token}`)
  const given = Object.entries(call.headers).map(([name, value]) => text(`${name}: ${value}`))
  return [...(isAuthorized(call) ? [bearer] : []), ...given]
}

function contentOf({ send, body }: SampleCall): string {
  if (send === 'form') return `http_build_query(${literal(Object.fromEntries(formOf(body)), php)})`
  const isEmpty = typeof body === 'object' && body !== null && Object.keys(body).length === 0
  return isEmpty ? "'{}'" : `json_encode(${literal(body, php)})`
}
