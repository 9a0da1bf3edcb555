/** Handlers of the desk. */

import { changeSegments } from '../../domain/desk/change-segments.ts'
import { claimAssetTask, handOverTasks, releaseAssetTask } from '../../domain/desk/claims.ts'
import {
  answerComment,
  createComment,
  listJobComments,
} from '../../domain/desk/comments/comment-segments.ts'
import { correctSegment } from '../../domain/desk/corrections/correct-segment.ts'
import { deliverCorrections } from '../../domain/desk/corrections/deliver-corrections.ts'
import { deliverSegments, previewTranslation } from '../../domain/desk/deliver-segments.ts'
import { fillSegments } from '../../domain/desk/fill/fill-segments.ts'
import { listRequestSegments, listSegments } from '../../domain/desk/list-segments.ts'
import { deliverPackage } from '../../domain/desk/packages/deliver-package.ts'
import { downloadPackage } from '../../domain/desk/packages/download-package.ts'
import { findReviewPlan } from '../../domain/desk/plans/review-plan.ts'
import { reviewSegment } from '../../domain/desk/review-segments.ts'
import { listProviderWork } from '../../domain/desk/team/provider-work.ts'
import { shareAssetTask } from '../../domain/desk/team/share-task.ts'
import type { Handlers } from './bind.ts'

export const deskHandlers = {
  listSegments: (hub, call, { params, query }) => listSegments(hub, call, params, query),
  changeSegments: (hub, call, { params, body }) => changeSegments(hub, call, params, body.segments),
  changeSegment: async (hub, call, { params: { segmentId, ...at }, body }) => {
    const { items } = await changeSegments(hub, call, at, [{ segmentId, ...body }])
    return items[0] as (typeof items)[0]
  },
  deliverSegments: (hub, call, { params, body }) => deliverSegments(hub, call, params, body),
  previewTranslation: (hub, call, { params }) => previewTranslation(hub, call, params),
  fillSegments: (hub, call, { params, query, body }) =>
    fillSegments(hub, call, params, { ...body, ...query }),
  shareAssetTask: (hub, call, { params, body }) => shareAssetTask(hub, call, params, body),
  listProviderWork: (hub, call, { params, query }) =>
    listProviderWork(hub, call, params.providerId, query),
  handOverTasks: (hub, call, { params, body }) => handOverTasks(hub, call, params.providerId, body),
  claimAssetTask: (hub, call, { params, body }) => claimAssetTask(hub, call, params, body ?? {}),
  releaseAssetTask: (hub, call, { params }) => releaseAssetTask(hub, call, params),
  downloadPackage: (hub, call, { params, query }) => downloadPackage(hub, call, params, query),
  deliverPackage: (hub, call, { params, query, body }) =>
    deliverPackage(hub, call, params, { query, file: body }),
  listRequestSegments: (hub, call, { params, query }) =>
    listRequestSegments(hub, call, params, query),
  correctSegment: (hub, call, { params, body }) => correctSegment(hub, call, params, body),
  deliverCorrections: (hub, call, { params, body }) => deliverCorrections(hub, call, params, body),
  findReviewPlan: (hub, call, { params, query }) => findReviewPlan(hub, call, params.jobId, query),
  reviewSegment: (hub, call, { params, body }) => reviewSegment(hub, call, params, body),
  listComments: (hub, call, { params, query }) => listJobComments(hub, call, params, query),
  createComment: (hub, call, { params, body }) => createComment(hub, call, params, body),
  answerComment: (hub, call, { params, body }) => answerComment(hub, call, params, body),
  listTaskComments: (hub, call, { params, query }) => listJobComments(hub, call, params, query),
  createTaskComment: (hub, call, { params, body }) => createComment(hub, call, params, body),
  answerTaskComment: (hub, call, { params, body }) => answerComment(hub, call, params, body),
} satisfies Partial<Handlers>
