/** Java 17 with java.net.http. */
import type { SampleCall } from './sample-call.ts'
import {
  addressOf,
  type CodeOptions,
  classNameOf,
  formOf,
  indented,
  isAuthorized,
  jsonOf,
  quoted,
} from './written.ts'

export function javaCode(call: SampleCall, options: CodeOptions): string {
  const lines = call.send === 'tus' ? tus(call, options) : workOf(call, options)
  const text = lines.join('\n')
  const imports = [
    ...(text.includes('URI.') ? ['java.net.URI'] : []),
    'java.net.http.HttpClient',
    'java.net.http.HttpRequest',
    'java.net.http.HttpResponse',
    ...(text.includes('Files.') ? ['java.nio.file.Files'] : []),
    ...(text.includes('Path.') ? ['java.nio.file.Path'] : []),
    ...(text.includes('Base64.') ? ['java.util.Base64'] : []),
    ...(text.includes('Pattern.') ? ['java.util.regex.Pattern'] : []),
  ]
  return `${imports.map((name) => `import ${name};`).join('\n')}

public class ${classNameOf(call.name)} {
    public static void main(String[] args) throws Exception {
${text
  .split('\n')
  .map((line) => line && `        ${line}`)
  .join('\n')}
    }
}`
}

function workOf(call: SampleCall, options: CodeOptions): string[] {
  const { downloads, uploads } = call
  const client =
    downloads === undefined
      ? 'var client = HttpClient.newHttpClient();'
      : 'var client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();'
  const handler =
    downloads === undefined
      ? 'HttpResponse.BodyHandlers.ofString()'
      : `HttpResponse.BodyHandlers.ofFile(Path.of(${quoted(downloads)}))`
  return [
    client,
    `var request = HttpRequest.newBuilder(URI.create(${quoted(addressOf(call, options))}))`,
    ...headersOf(call, options).map((header) => `    ${header}`),
    `    ${methodOf(call)}`,
    '    .build();',
    `var response = client.send(request, ${handler});`,
    ...(uploads === undefined
      ? ['System.out.println(response.statusCode() + " " + response.body());']
      : multipart(uploads)),
  ]
}

function multipart(file: string): string[] {
  return [
    'var found = Pattern.compile("\\"fmsPostMultipartUrl\\":\\"([^\\"]+)\\"").matcher(response.body());',
    'if (!found.find()) throw new IllegalStateException(response.body());',
    '',
    'var boundary = "file-" + System.nanoTime();',
    'var form = HttpRequest.BodyPublishers.concat(',
    `    HttpRequest.BodyPublishers.ofString("--" + boundary + "\\r\\nContent-Disposition: form-data; name=\\"file\\"; filename=\\"${file}\\"\\r\\n\\r\\n"),`,
    `    HttpRequest.BodyPublishers.ofFile(Path.of(${quoted(file)})),`,
    '    HttpRequest.BodyPublishers.ofString("\\r\\n--" + boundary + "--\\r\\n"));',
    'var upload = HttpRequest.newBuilder(URI.create(found.group(1)))',
    '    .header("Content-Type", "multipart/form-data; boundary=" + boundary)',
    '    .POST(form)',
    '    .build();',
    'System.out.println(client.send(upload, HttpResponse.BodyHandlers.ofString()).statusCode());',
  ]
}

function tus(call: SampleCall, options: CodeOptions): string[] {
  const { uploads = '' } = call
  const headers = headersOf(call, options).map((header) => `    ${header}`)
  return [
    'var client = HttpClient.newHttpClient();',
    `var file = Path.of(${quoted(uploads)});`,
    `var url = URI.create(${quoted(addressOf(call, options))});`,
    'var name = Base64.getEncoder().encodeToString(file.getFileName().toString().getBytes());',
    'var create = HttpRequest.newBuilder(url)',
    ...headers,
    '    .header("Upload-Length", String.valueOf(Files.size(file)))',
    '    .header("Upload-Metadata", "name " + name)',
    '    .POST(HttpRequest.BodyPublishers.noBody())',
    '    .build();',
    'var created = client.send(create, HttpResponse.BodyHandlers.ofString());',
    '',
    'var send = HttpRequest.newBuilder(url.resolve(created.headers().firstValue("Location").orElseThrow()))',
    ...headers,
    '    .header("Upload-Offset", "0")',
    '    .header("Content-Type", "application/offset+octet-stream")',
    '    .method("PATCH", HttpRequest.BodyPublishers.ofFile(file))',
    '    .build();',
    'System.out.println(client.send(send, HttpResponse.BodyHandlers.ofString()).statusCode());',
  ]
}

function headersOf(call: SampleCall, { token }: CodeOptions): string[] {
  const bearer =
    token === undefined ? '"Bearer " + System.getenv("TOKEN")' : quoted(`Bearer ${token}`)
  const given = Object.entries(call.headers).map(
    ([name, value]) => `.header(${quoted(name)}, ${quoted(value)})`,
  )
  return [...(isAuthorized(call) ? [`.header("Authorization", ${bearer})`] : []), ...given]
}

function methodOf({ method, send, body, sends }: SampleCall): string {
  if (sends !== undefined)
    return `.method(${quoted(method)}, HttpRequest.BodyPublishers.ofFile(Path.of(${quoted(sends)})))`
  if (body === undefined) {
    if (method === 'GET' || method === 'DELETE') return `.${method}()`
    return `.method(${quoted(method)}, HttpRequest.BodyPublishers.noBody())`
  }
  const text =
    send === 'form' ? quoted(new URLSearchParams(formOf(body)).toString()) : textBlock(jsonOf(body))
  return `.method(${quoted(method)}, HttpRequest.BodyPublishers.ofString(${text}))`
}

/** One line in quotes, several as a text block. */
const textBlock = (json: string): string =>
  json.includes('\n')
    ? `"""\n        ${indented(json.replaceAll('\\', '\\\\'), '        ')}\n        """`
    : quoted(json)
