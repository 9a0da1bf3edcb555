/** A whole round with the client that hey-api makes. */
import * as api from 'generated'
import { client } from 'generated/client.gen'
import { round, tokenOf } from './round.mjs'

const [, , url] = process.argv
client.setConfig({ baseUrl: url, auth: await tokenOf(url) })
const dataOf = async (call) => {
  const { data, error, response } = await call
  if (error) throw { status: response.status, code: error.code }
  return data
}
const textOf = async (call) => (await dataOf(call)).text()

await round(url, {
  listProviders: () => dataOf(api.listProviders()),
  createJob: (body) => dataOf(api.createJob({ body })),
  createSourceFile: (jobId, fileName) =>
    dataOf(api.createSourceFile({ path: { jobId }, query: { fileName } })),
  addRequests: (jobId, body) => dataOf(api.addRequests({ path: { jobId }, body })),
  submitJob: (jobId, body) => dataOf(api.submitJob({ path: { jobId }, body })),
  listStatusUpdates: () => dataOf(api.listStatusUpdates()),
  retrieveContent: (jobId, requestId) =>
    dataOf(api.retrieveContent({ path: { jobId, requestId } })),
  findSourceFile: (jobId, fmsFileId) =>
    textOf(api.findSourceFile({ path: { jobId, fmsFileId }, parseAs: 'blob' })),
  retrieveFile: (jobId, requestId) =>
    textOf(api.retrieveFile({ path: { jobId, requestId }, parseAs: 'blob' })),
  approveRequests: (jobId, body) => dataOf(api.approveRequests({ path: { jobId }, body })),
  completeJob: (jobId) => dataOf(api.completeJob({ path: { jobId } })),
  findJob: (jobId) => dataOf(api.findJob({ path: { jobId } })),
})
