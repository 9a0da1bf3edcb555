/** Handlers of source content. */
import {
  createSourceContent,
  findSourceContent,
  replaceSourceContent,
} from '../../domain/jobs/requests/source-content.ts'
import type { Handlers } from './bind.ts'

export const sourceContentHandlers = {
  createSourceContent: (hub, call, { params, body }) =>
    createSourceContent(hub, call, params.jobId, body.fields),
  findSourceContent: (hub, call, { params }) =>
    findSourceContent(hub, call, params.jobId, params.sourcecontentId),
  replaceSourceContent: (hub, call, { params, body }) =>
    replaceSourceContent(hub, call, params, body.fields),
} satisfies Partial<Handlers>
