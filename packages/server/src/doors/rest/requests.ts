/** Handlers of requests. */
import { addRequests } from '../../domain/jobs/requests/add-requests.ts'
import {
  changeRequest,
  changeRequests,
  deleteRequest,
  updateFileContent,
} from '../../domain/jobs/requests/change-requests.ts'
import { findRequest } from '../../domain/jobs/requests/find-request.ts'
import { findKnownContent } from '../../domain/jobs/requests/known/known-content.ts'
import { listRequests } from '../../domain/jobs/requests/list-requests.ts'
import type { Handlers } from './bind.ts'

export const requestHandlers = {
  listRequests: (hub, call, { params, query }) => listRequests(hub, call, params.jobId, query),
  addRequests: (hub, call, { params, body }) => addRequests(hub, call, params.jobId, body),
  findKnownContent: (hub, call, { body }) => findKnownContent(hub, call, body),
  addFileRequests: (hub, call, { params, body }) => addRequests(hub, call, params.jobId, body),
  changeRequests: (hub, call, { params, body }) => changeRequests(hub, call, params.jobId, body),
  updateFileContent: (hub, call, { params, body }) =>
    updateFileContent(hub, call, params.jobId, body),
  findRequest: (hub, call, { params }) => findRequest(hub, call, params.jobId, params.requestId),
  changeRequest: (hub, call, { params, body }) => changeRequest(hub, call, params, body),
  deleteRequest: (hub, call, { params }) =>
    deleteRequest(hub, call, params.jobId, params.requestId),
} satisfies Partial<Handlers>
