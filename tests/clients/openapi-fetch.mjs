/**
 * Whole rounds with openapi-fetch: the file as a form, and by TUS in the ways that clients in the
 * field use.
 */
import { Readable } from 'node:stream'
import createClient from 'openapi-fetch'
import { Upload } from 'tus-js-client'
import { round, tokenOf } from './round.mjs'

const [, , url, way = 'form'] = process.argv
const hub = createClient({
  baseUrl: url,
  headers: { authorization: `Bearer ${await tokenOf(url)}` },
})
const dataOf = async (call) => {
  const { data, error, response } = await call
  if (error) throw { status: response.status, code: error.code }
  return data
}
const at = (jobId, more) => ({ params: { path: { jobId, ...more } } })

const byTus = (options) => (transfer, bytes) =>
  new Promise((resolve, reject) => {
    const source = options.uploadLengthDeferred
      ? Readable.from([bytes.subarray(0, 300_000), bytes.subarray(300_000)])
      : bytes
    const { fmsUploadUrl: endpoint, fmsSASToken: sastoken } = transfer
    const ends = { onSuccess: () => resolve(), onError: reject }
    new Upload(source, {
      endpoint,
      headers: { sastoken },
      retryDelays: null,
      ...ends,
      ...options,
    }).start()
  })

/** By hand: an empty Upload-Metadata, and every call as a POST. */
async function byPost(transfer, bytes) {
  const call = async (method, path, headers, body) => {
    const answer = await fetch(new URL(path, transfer.fmsUploadUrl), {
      method: 'POST',
      headers: {
        ...{
          'tus-resumable': '1.0.0',
          sastoken: transfer.fmsSASToken,
          'x-http-method-override': method,
        },
        ...headers,
      },
      ...(body && { body }),
    })
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const length = { 'upload-length': String(bytes.length), 'upload-metadata': '' }
  const upload = (await call('POST', transfer.fmsUploadUrl, length)).headers.get('location')
  const half = Math.floor(bytes.length / 2)
  const chunk = { 'content-type': 'application/offset+octet-stream' }
  await call('PATCH', upload, { ...chunk, 'upload-offset': '0' }, bytes.subarray(0, half))
  const offset = (await call('HEAD', upload, {})).headers.get('upload-offset')
  await call('PATCH', upload, { ...chunk, 'upload-offset': offset }, bytes.subarray(Number(offset)))
}

const ways = {
  form: undefined,
  parallel: byTus({ parallelUploads: 4 }),
  deferred: byTus({ uploadLengthDeferred: true, chunkSize: 250_000 }),
  override: byPost,
}

await round(
  url,
  {
    listProviders: () => dataOf(hub.GET('/v2/providers')),
    createJob: (body) => dataOf(hub.POST('/v2/jobs', { body })),
    createSourceFile: (jobId, fileName) =>
      dataOf(
        hub.POST('/v2/jobs/{jobId}/sourcefiles', {
          params: { path: { jobId }, query: { fileName } },
        }),
      ),
    addRequests: (jobId, body) =>
      dataOf(hub.POST('/v2/jobs/{jobId}/requests/add', { ...at(jobId), body })),
    submitJob: (jobId, body) => dataOf(hub.PUT('/v2/jobs/{jobId}/submit', { ...at(jobId), body })),
    listStatusUpdates: () => dataOf(hub.GET('/v2/statusupdates')),
    retrieveContent: (jobId, requestId) =>
      dataOf(hub.GET('/v2/jobs/{jobId}/requests/{requestId}/retrieve', at(jobId, { requestId }))),
    findSourceFile: (jobId, fmsFileId) =>
      dataOf(
        hub.GET('/v2/jobs/{jobId}/sourcefiles/{fmsFileId}', {
          ...at(jobId, { fmsFileId }),
          parseAs: 'text',
        }),
      ),
    retrieveFile: (jobId, requestId) =>
      dataOf(
        hub.GET('/v2/jobs/{jobId}/requests/{requestId}/retrievefile', {
          ...at(jobId, { requestId }),
          parseAs: 'text',
        }),
      ),
    approveRequests: (jobId, body) =>
      dataOf(hub.PUT('/v2/jobs/{jobId}/requests/approve', { ...at(jobId), body })),
    completeJob: (jobId) => dataOf(hub.PUT('/v2/jobs/{jobId}/complete', at(jobId))),
    findJob: (jobId) => dataOf(hub.GET('/v2/jobs/{jobId}', at(jobId))),
  },
  ways[way],
)
