/** A whole round with the client that orval makes: axios, which is its default. */
import axios from 'axios'
import * as api from 'generated'
import { round, tokenOf } from './round.mjs'

const [, , url] = process.argv
axios.defaults.baseURL = url
axios.defaults.headers.common.authorization = `Bearer ${await tokenOf(url)}`
const dataOf = (call) =>
  call.then(
    ({ data }) => data,
    (error) => {
      const { response } = error
      if (!response) throw error
      throw { status: response.status, code: response.data.code }
    },
  )
/** orval asks axios for a blob; in Node axios answers with a stream's bytes. */
const textOf = async (call) => {
  const data = await dataOf(call)
  return typeof data === 'string'
    ? data
    : Buffer.from(await new Response(data).arrayBuffer()).toString()
}

await round(url, {
  listProviders: () => dataOf(api.listProviders()),
  createJob: (body) => dataOf(api.createJob(body)),
  createSourceFile: (jobId, fileName) => dataOf(api.createSourceFile(jobId, { fileName })),
  addRequests: (jobId, body) => dataOf(api.addRequests(jobId, body)),
  submitJob: (jobId, body) => dataOf(api.submitJob(jobId, body)),
  listStatusUpdates: () => dataOf(api.listStatusUpdates()),
  retrieveContent: (jobId, requestId) => dataOf(api.retrieveContent(jobId, requestId)),
  findSourceFile: (jobId, fileId) => textOf(api.findSourceFile(jobId, fileId)),
  retrieveFile: (jobId, requestId) => textOf(api.retrieveFile(jobId, requestId)),
  approveRequests: (jobId, body) => dataOf(api.approveRequests(jobId, body)),
  completeJob: (jobId) => dataOf(api.completeJob(jobId)),
  findJob: (jobId) => dataOf(api.findJob(jobId)),
})
