/** Python 3 with its standard library. */
import type { SampleCall } from './sample-call.ts'
import {
  addressOf,
  type CodeOptions,
  formOf,
  indented,
  isAuthorized,
  type Literals,
  literal,
  quoted,
} from './written.ts'

const python: Literals = {
  list: ['[', ']'],
  map: ['{', '}'],
  arrow: ': ',
  words: { true: 'True', false: 'False', null: 'None' },
  text: quoted,
  indent: '    ',
}

export function pythonCode(call: SampleCall, options: CodeOptions): string {
  if (call.send === 'tus') return tus(call, options)
  const { method, body, downloads, uploads, sends } = call
  const isForm = call.send === 'form'
  const headers = headersOf(call, options)
  const lines = [
    quoted(addressOf(call, options)),
    `method=${quoted(method)}`,
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(body !== undefined && !isForm
      ? [`data=json.dumps(${literal(body, python)}).encode()`]
      : []),
    ...(sends === undefined ? [] : [`data=open(${quoted(sends)}, "rb").read()`]),
    ...(isForm
      ? [`data=urlencode(${literal(Object.fromEntries(formOf(body)), python)}).encode()`]
      : []),
  ]
  const imports = [
    ...(downloads === undefined ? ['import json'] : []),
    ...(isAuthorized(call) && options.token === undefined ? ['import os'] : []),
    ...(uploads === undefined ? [] : ['import uuid']),
    ...(isForm ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
  ]
  return `${imports.join('\n')}

request = Request(
    ${lines.map((line) => `${indented(line, '    ')},`).join('\n    ')}
)
with urlopen(request) as response:
    ${endOf(call)}`
}

function endOf({ downloads, uploads }: SampleCall): string {
  if (downloads !== undefined)
    return `with open(${quoted(downloads)}, "wb") as file:\n        file.write(response.read())`
  if (uploads === undefined) return 'print(json.load(response))'
  return `transfer = json.load(response)

boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="${uploads}"\\r\\n\\r\\n'
with open(${quoted(uploads)}, "rb") as file:
    form = head.encode() + file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()
headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
with urlopen(Request(transfer["fmsPostMultipartUrl"], data=form, headers=headers)) as response:
    print(response.status)`
}

function tus(call: SampleCall, options: CodeOptions): string {
  const { uploads = '' } = call
  return `import base64
from urllib.parse import urljoin
from urllib.request import Request, urlopen

with open(${quoted(uploads)}, "rb") as file:
    data = file.read()
url = ${quoted(addressOf(call, options))}
headers = {${headersOf(call, options).join(', ')}}
name = base64.b64encode(b${quoted(uploads)}).decode()
create = {**headers, "Upload-Length": str(len(data)), "Upload-Metadata": f"name {name}"}
with urlopen(Request(url, method="POST", headers=create)) as response:
    url = urljoin(url, response.headers["Location"])

send = {**headers, "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
with urlopen(Request(url, method="PATCH", headers=send, data=data)) as response:
    print(response.headers["Upload-Offset"])`
}

function headersOf(call: SampleCall, { token }: CodeOptions): string[] {
  const bearer = token === undefined ? '"Bearer " + os.environ["TOKEN"]' : quoted(`Bearer ${token}`)
  const given = Object.entries(call.headers).map(
    ([name, value]) => `${quoted(name)}: ${quoted(value)}`,
  )
  return [...(isAuthorized(call) ? [`"Authorization": ${bearer}`] : []), ...given]
}
