/** Contract, sections 4 and 7: status updates, and the listeners of a connector. */
import {
  DeliveriesQuery,
  Delivery,
  Listener,
  ListenerChange,
  NewListener,
  Replay,
  Replayed,
} from '../schemas/listener.ts'
import { PageQuery, path } from '../schemas/parts.ts'
import { StatusUpdate, StatusUpdatesQuery } from '../schemas/status-update.ts'
import { rows } from './row.ts'

const updates = { tag: 'StatusUpdates', scope: 'content', answers: StatusUpdate } as const
const listeners = { tag: 'Listeners', scope: 'content', answers: Listener } as const
const one = { ...listeners, params: path('listenerId') } as const

export const updateEndpoints = rows({
  listStatusUpdates: {
    ...updates,
    call: 'GET /statusupdates',
    says: 'List unacknowledged status updates, oldest first; with since, all status updates',
    query: StatusUpdatesQuery,
    collection: 'statusupdates',
    fails: [],
  },
  acknowledgeStatusUpdate: {
    ...updates,
    call: 'PUT /statusupdates/{updateId}/acknowledge',
    says: 'Acknowledge a status update',
    params: path('updateId'),
    fails: ['STATUS_UPDATE_NOT_FOUND'],
  },
  listJobStatusUpdates: {
    ...updates,
    call: 'GET /jobs/{jobId}/statusupdates',
    says: 'List the unacknowledged status updates of a job',
    params: path('jobId'),
    query: PageQuery,
    collection: 'statusupdates',
    fails: ['JOB_NOT_FOUND'],
    deprecated: 'GET /statusupdates',
  },
  listListeners: {
    ...listeners,
    call: 'GET /statusupdates/listeners',
    says: 'List the listeners of the client; for an admin, those of the site',
    query: PageQuery,
    collection: 'listeners',
    fails: [],
  },
  createListener: {
    ...listeners,
    roles: ['developer', 'admin'],
    call: 'POST /statusupdates/listeners',
    says: 'Register a listener for status changes',
    body: NewListener,
    status: 201,
    fails: ['LISTENER_EXISTS', 'LISTENER_URI_FORBIDDEN', 'JOB_NOT_FOUND'],
  },
  findListener: {
    ...one,
    call: 'GET /statusupdates/listeners/{listenerId}',
    says: 'Read a listener',
    fails: ['LISTENER_NOT_FOUND'],
  },
  changeListener: {
    ...one,
    roles: ['developer', 'admin'],
    call: 'PATCH /statusupdates/listeners/{listenerId}',
    says: 'Change, disable or enable a listener, or replace its secret',
    body: ListenerChange,
    fails: ['LISTENER_NOT_FOUND', 'LISTENER_EXISTS', 'LISTENER_URI_FORBIDDEN', 'JOB_NOT_FOUND'],
  },
  deleteListener: {
    ...one,
    roles: ['developer', 'admin'],
    call: 'DELETE /statusupdates/listeners/{listenerId}',
    says: 'Delete a listener',
    fails: ['LISTENER_NOT_FOUND'],
  },
  listDeliveries: {
    ...one,
    call: 'GET /statusupdates/listeners/{listenerId}/deliveries',
    says: 'List the deliveries of a listener, with every attempt',
    query: DeliveriesQuery,
    answers: Delivery,
    collection: 'deliveries',
    fails: ['LISTENER_NOT_FOUND'],
  },
  replayDeliveries: {
    ...one,
    roles: ['developer', 'admin'],
    call: 'POST /statusupdates/listeners/{listenerId}/replay',
    says: 'Repeat deliveries',
    body: Replay,
    answers: Replayed,
    status: 202,
    fails: ['LISTENER_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  },
  testListener: {
    ...one,
    roles: ['developer', 'admin'],
    call: 'POST /statusupdates/listeners/{listenerId}/test',
    says: 'Send a sample to a listener',
    answers: Delivery,
    status: 202,
    fails: ['LISTENER_NOT_FOUND'],
  },
})
