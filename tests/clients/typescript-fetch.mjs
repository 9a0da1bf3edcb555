/** A whole round with the client that openapi-generator makes for TypeScript: fetch. */
import * as api from 'generated'
import { round, tokenOf } from './round.mjs'

const [, , url] = process.argv
const token = await tokenOf(url)
/** This generator sends the token of an OAuth flow as it is. */
const accessToken = (flow) => (flow === 'oauth2' ? `Bearer ${token}` : token)
const settings = new api.Configuration({ basePath: url, accessToken, fetchApi: fetch })
const dataOf = (call) =>
  call.catch(async (answer) => {
    if (!(answer instanceof Response)) throw answer
    throw { status: answer.status, code: (await answer.json()).code }
  })
const textOf = async (call) => (await dataOf(call)).text()
const [jobs, requests] = [new api.JobsApi(settings), new api.RequestsApi(settings)]
const files = new api.FileTransferApi(settings)

await round(url, {
  listProviders: () => dataOf(new api.ProvidersApi(settings).listProviders({})),
  createJob: (newJob) => dataOf(jobs.createJob({ newJob })),
  createSourceFile: (jobId, fileName) => dataOf(files.createSourceFile({ jobId, fileName })),
  addRequests: (jobId, newRequestList) => dataOf(requests.addRequests({ jobId, newRequestList })),
  submitJob: (jobId, submission) => dataOf(jobs.submitJob({ jobId, submission })),
  listStatusUpdates: () => dataOf(new api.StatusUpdatesApi(settings).listStatusUpdates({})),
  retrieveContent: (jobId, requestId) => dataOf(requests.retrieveContent({ jobId, requestId })),
  findSourceFile: (jobId, fmsFileId) => textOf(files.findSourceFile({ jobId, fmsFileId })),
  retrieveFile: (jobId, requestId) => textOf(requests.retrieveFile({ jobId, requestId })),
  approveRequests: (jobId, approval) => dataOf(requests.approveRequests({ jobId, approval })),
  completeJob: (jobId) => dataOf(jobs.completeJob({ jobId })),
  findJob: (jobId) => dataOf(jobs.findJob({ jobId })),
})
