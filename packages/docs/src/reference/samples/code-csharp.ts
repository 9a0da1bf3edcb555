/** C# 11 (.NET 7 and later) with HttpClient. */
import type { SampleCall } from './sample-call.ts'
import {
  addressOf,
  type CodeOptions,
  formOf,
  indented,
  isAuthorized,
  jsonOf,
  quoted,
} from './written.ts'

export function csharpCode(call: SampleCall, options: CodeOptions): string {
  const lines = call.send === 'tus' ? tus(call, options) : workOf(call, options)
  const text = lines.join('\n')
  const usings = [
    ...(text.includes('AuthenticationHeaderValue') ? ['System.Net.Http.Headers'] : []),
    ...(text.includes('Encoding.') ? ['System.Text'] : []),
    ...(text.includes('JsonDocument') ? ['System.Text.Json'] : []),
  ]
  return [...usings.map((name) => `using ${name};`), ...(usings.length > 0 ? [''] : []), text].join(
    '\n',
  )
}

function workOf(call: SampleCall, options: CodeOptions): string[] {
  const { method, downloads, uploads, body } = call
  return [
    'using var http = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${verb(method)}, ${quoted(addressOf(call, options))});`,
    ...(isAuthorized(call)
      ? [
          `request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", ${tokenOf(options)});`,
        ]
      : []),
    ...(call.sends === undefined
      ? []
      : fileContent(call.sends, call.headers['Content-Type'] ?? '')),
    ...(body === undefined ? [] : [`request.Content = ${contentOf(call)};`]),
    'using var response = await http.SendAsync(request);',
    'response.EnsureSuccessStatusCode();',
    ...(downloads !== undefined
      ? [
          `await File.WriteAllBytesAsync(${quoted(downloads)}, await response.Content.ReadAsByteArrayAsync());`,
        ]
      : uploads !== undefined
        ? multipart(uploads)
        : ['Console.WriteLine(await response.Content.ReadAsStringAsync());']),
  ]
}

const fileContent = (file: string, type: string): string[] => [
  `request.Content = new ByteArrayContent(await File.ReadAllBytesAsync(${quoted(file)}));`,
  `request.Content.Headers.ContentType = new(${quoted(type)});`,
]

function multipart(file: string): string[] {
  return [
    'using var transfer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());',
    'var url = transfer.RootElement.GetProperty("fmsPostMultipartUrl").GetString();',
    '',
    `using var form = new MultipartFormDataContent { { new StreamContent(File.OpenRead(${quoted(file)})), "file", ${quoted(file)} } };`,
    'using var uploaded = await http.PostAsync(url, form);',
    'uploaded.EnsureSuccessStatusCode();',
  ]
}

function tus(call: SampleCall, options: CodeOptions): string[] {
  const { uploads = '' } = call
  const headers = Object.entries(call.headers).map(
    ([name, value]) => `http.DefaultRequestHeaders.Add(${quoted(name)}, ${quoted(value)});`,
  )
  return [
    'using var http = new HttpClient();',
    ...headers,
    `var url = new Uri(${quoted(addressOf(call, options))});`,
    `var bytes = await File.ReadAllBytesAsync(${quoted(uploads)});`,
    'using var create = new HttpRequestMessage(HttpMethod.Post, url);',
    'create.Headers.Add("Upload-Length", bytes.Length.ToString());',
    `create.Headers.Add("Upload-Metadata", "name " + Convert.ToBase64String(Encoding.UTF8.GetBytes(${quoted(uploads)})));`,
    'using var created = await http.SendAsync(create);',
    'created.EnsureSuccessStatusCode();',
    '',
    'using var send = new HttpRequestMessage(HttpMethod.Patch, new Uri(url, created.Headers.Location!));',
    'send.Headers.Add("Upload-Offset", "0");',
    'send.Content = new ByteArrayContent(bytes);',
    'send.Content.Headers.ContentType = new("application/offset+octet-stream");',
    'using var sent = await http.SendAsync(send);',
    'sent.EnsureSuccessStatusCode();',
  ]
}

const tokenOf = ({ token }: CodeOptions): string =>
  token === undefined ? 'Environment.GetEnvironmentVariable("TOKEN")' : quoted(token)

const verb = (method: string): string => `${method.charAt(0)}${method.slice(1).toLowerCase()}`

function contentOf({ send, body }: SampleCall): string {
  if (send === 'form') {
    const pairs = formOf(body).map(([name, value]) => `    [${quoted(name)}] = ${quoted(value)},\n`)
    return `new FormUrlEncodedContent(new Dictionary<string, string>\n{\n${pairs.join('')}})`
  }
  return `new StringContent(${rawText(jsonOf(body))}, Encoding.UTF8, "application/json")`
}

/** One line in quotes, several as a raw string. */
const rawText = (json: string): string =>
  json.includes('\n') ? `"""\n    ${indented(json, '    ')}\n    """` : quoted(json)
