/** What the hub sends to listeners, as the section `webhooks` of the OpenAPI document. */
import { EventType } from '@dragoman/contract'
import { type Components, type Json, schemaOf } from './openapi-schemas.ts'

const says: Readonly<Record<string, string>> = {
  JOB_UPDATE: 'A job has another state, or was archived or deleted',
  REQUEST_UPDATE: 'Requests of a job have another state, or an error; to connectors',
  ASSET_TASK_UPDATE: 'Asset tasks of a job have another state; to providers',
  SUPPORT_ASSET_CREATE: 'A support asset was added to a job',
  TM_UPDATE_CREATE: 'A file for the translation memory was added to a job',
  COMMENT_CREATED: 'Somebody asked a question at a job',
  COMMENT_ANSWERED: 'A question at a job was answered',
}

const text = { type: 'string' }
const flag = { type: 'boolean' }
const ids = { type: 'array', items: text }

const ListenerUpdate = {
  title: 'ListenerUpdate',
  type: 'object',
  required: ['eventType', 'listenerId', 'payloadUuid', 'jobId', 'updateTime'],
  properties: {
    eventType: EventType,
    listenerId: text,
    payloadUuid: {
      ...text,
      description: 'Another one for each update; the same when it is repeated.',
    },
    jobId: text,
    providerId: { ...text, description: 'Only to listeners of a provider.' },
    statusCode: { ...text, description: 'The new state, as this side calls it.' },
    requestIds: { ...ids, description: 'Only in REQUEST_UPDATE; empty if it concerns the job.' },
    assetTaskIds: { ...ids, description: 'Only in ASSET_TASK_UPDATE.' },
    supportassetId: { ...text, description: 'Only in SUPPORT_ASSET_CREATE.' },
    tmupdateId: { ...text, description: 'Only in TM_UPDATE_CREATE.' },
    commentId: { ...text, description: 'Only in COMMENT_CREATED and COMMENT_ANSWERED.' },
    requestId: { ...text, description: 'Only of a question about a request; to connectors.' },
    assetTaskId: { ...text, description: 'Only of a question about an asset task; to providers.' },
    segmentId: { ...text, description: 'Only of a question about a segment.' },
    dueDate: { ...text, description: 'Only in JOB_UPDATE to providers, of a job with a new plan.' },
    archived: { ...flag, description: 'Only in JOB_UPDATE.' },
    deleted: { ...flag, description: 'Only in JOB_UPDATE.' },
    isError: { ...flag, description: 'Whether it reports an error; not to providers.' },
    message: { ...text, description: 'What went wrong, if something did.' },
    rejectNote: { ...text, description: 'Why a translation was rejected; only to providers.' },
    sequence: {
      type: 'integer',
      description: 'The number of the status update; only to connectors.',
    },
    updateTime: { ...text, format: 'date-time' },
  },
}

const headers = {
  'webhook-id': 'The same for every try of one update.',
  'webhook-timestamp': 'Seconds since 1970, part of what is signed.',
  'webhook-signature': 'Of the id, the time and the body (Standard Webhooks).',
}

export function webhooks(components: Components): Json {
  const body = schemaOf(ListenerUpdate, components)
  const parameters = Object.entries(headers).map(([name, description]) => ({
    ...{ name, in: 'header', required: name !== 'webhook-signature', description, schema: text },
  }))
  return Object.fromEntries(
    Object.entries(says).map(([eventType, summary]) => [
      eventType,
      {
        post: {
          summary,
          description:
            'Sent to the address of a listener, in the order of each job, until it is answered with 2xx.',
          tags: ['Listeners'],
          security: [],
          parameters,
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            200: { description: 'The update was received; any other 2xx means the same.' },
            410: { description: 'Nobody is there any more: the listener is disabled.' },
          },
        },
      },
    ]),
  )
}
