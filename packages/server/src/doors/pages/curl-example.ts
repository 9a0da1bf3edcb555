/**
 * A curl example for each call; `$TOKEN` and the ids are shell variables. The values in bodies and queries come from the tables
 * below. A test runs every example of the page against a hub.
 */
import { type Call, contentOf, type Document, nameOf, type Operation, type Schema } from './document.ts'

/** Values for fields and parameters, by name; `$NAME` is a shell variable. */
const values: Readonly<Record<string, unknown>> = {
  jobName: 'Spring catalogue',
  text: 'Good morning',
  sourceNativeLanguageCode: 'en-US',
  targetNativeLanguageCode: 'de-DE',
  targetNativeLanguageCodes: ['de-DE', 'fr-FR'],
  labels: ['web'],
  poReference: 'PO-1234',
  name: 'Second opinion',
  typeId: 'manual',
  status: 'ENABLED',
  fileName: 'page.html',
  requestName: 'Home page',
  sourceNativeId: 'page-1',
  requestIds: ['$REQUEST_ID'],
  fmsFileId: '$FMS_FILE_ID',
  fields: [{ key: 'title', value: 'Hello' }],
  uri: 'https://cms.example.com/listener',
  type: 'REQUEST_STATUS_UPDATED',
  jobUri: 'https://provider.example.com/jobs',
  jobStatusCodes: ['SENDING_READY_FOR_RETRIEVE'],
  statusCodes: ['CANCELLED'],
  code: 'CC-100',
  label: 'Marketing',
  filter: { state: 'PARKED' },
  currency: 'EUR',
  validFrom: '2024-01-01',
  bands: [
    { name: 'Exact', kind: 'Exact', factor: '0.2' },
    { name: 'New', kind: 'New', factor: '1' },
  ],
  clientId: 'acme-cms',
  scopes: ['content'],
  overlap: '2h',
  email: 'ada@example.org',
  sites: [{ roles: ['manager'] }],
  json: { skipKeys: ['slug'] },
  lines: [{ service: 'Translation', sourceLanguage: '*', targetLanguage: '*', unit: 'Word', unitPrice: '0.12' }],
}

/** A body shows its required fields and these optional ones. */
const shown: Readonly<Record<string, readonly string[]>> = {
  NewJob: ['sourceNativeLanguageCode', 'targetNativeLanguageCodes', 'labels'],
  JobChange: ['poReference'],
  ProviderChange: ['status'],
  NewRequest: ['fields'],
  RequestChange: ['requestName'],
  ListenerChange: ['statusCodes'],
  NewAnalysisCode: ['label'],
  AnalysisCodeChange: ['label'],
  LevelChange: ['label'],
  Rotation: ['overlap'],
  ProviderTrial: ['text', 'targetNativeLanguageCode'],
  SiteReplay: ['filter'],
  PersonChange: ['sites'],
  FormatOptions: ['json'],
  GivenProviderListener: ['jobUri', 'jobStatusCodes'],
}
const queries: Readonly<Record<string, string>> = {
  listJobs: `--data-urlencode "filter=statusCode eq 'CREATED' and labels eq 'web'" --data-urlencode 'orderBy=dueDate'`,
  listArchivedJobs: `-d pageSize=10`,
}

/** Several lines, joined by backslashes. */
export function curlExample(document: Document, call: Call, base: string): string {
  const { method, path, operation } = call
  const body = contentOf(operation.requestBody)
  const query = queries[operation.operationId]
  const form = body?.type === 'application/x-www-form-urlencoded'
  const verb = method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`
  const redirects = '307' in operation.responses
  const flags = `-s${query ? 'G' : ''}${redirects ? 'L' : ''}${verb}${redirects ? ' -o download' : ''}`
  return [
    `curl ${flags} "${base}${addressOf(path)}${requiredQuery(operation)}"`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(query ? [query] : []),
    ...(body && !form
      ? ["-H 'Content-Type: application/json'", `-d '${jsonOf(exampleOf(document, body.schema))}'`]
      : []),
    ...(form
      ? [firstField(document, body?.schema), '-d "client_id=$CLIENT_ID" -d "client_secret=$CLIENT_SECRET"']
      : []),
  ].join(' \\\n  ')
}

/** Of a form: what it has besides the credentials. */
function firstField(document: Document, schema: Schema | undefined): string {
  const named = schema?.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)]
  return named?.required?.includes('token') ? '-d "token=$TOKEN"' : '-d grant_type=client_credentials'
}

const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`)

function requiredQuery({ parameters = [] }: Operation): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  return required.map(({ name }, at) => `${at === 0 ? '?' : '&'}${name}=${values[name] ?? 'text'}`).join('')
}

/** jobId: JOB_ID. */
const shellName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** In single quotes, with shell variables outside them. A long value has one line per field. */
function jsonOf(value: unknown): string {
  const short = JSON.stringify(value)
  const text = short.length > 60 ? JSON.stringify(value, null, 2).replaceAll('\n', '\n  ') : short
  return text.replace(/\$[A-Z_]+/g, (name) => `'$${name.slice(1)}'`)
}

function exampleOf(document: Document, schema: Schema): unknown {
  if (schema.$ref !== undefined) return namedExample(document, nameOf(schema.$ref))
  // Of several alternatives the last is the simplest.
  const form = schema.anyOf?.at(-1)
  if (form) return exampleOf(document, form)
  if (schema.type === 'array') return schema.items ? [exampleOf(document, schema.items)] : []
  if (schema.type === 'object') return fieldsOf(document, schema, [])
  if (schema.enum) return schema.enum[0]
  return schema.type === 'integer' || schema.type === 'number' ? 1 : schema.type === 'boolean' ? true : 'text'
}

function namedExample(document: Document, title: string): unknown {
  const schema = document.components.schemas[title] ?? {}
  return schema.type === 'object' ? fieldsOf(document, schema, shown[title] ?? []) : exampleOf(document, schema)
}

function fieldsOf(document: Document, { properties = {}, required = [] }: Schema, also: readonly string[]): unknown {
  const fields = Object.entries(properties).filter(([field]) => required.includes(field) || also.includes(field))
  return Object.fromEntries(fields.map(([field, schema]) => [field, values[field] ?? exampleOf(document, schema)]))
}
