export * from './assistant.ts'
export * from './console/call-counts.ts'
export * from './console/console-delivery.ts'
export * from './console/job-lanes.ts'
export * from './console/overview.ts'
export * from './console/person.ts'
export * from './console/role.ts'
export * from './console/session.ts'
export * from './console/set-up.ts'
export * from './console/sign-in.ts'
export * from './console/work.ts'
export * from './desk/check.ts'
export * from './desk/comment.ts'
export * from './desk/memory.ts'
export * from './desk/package.ts'
export * from './desk/quality.ts'
export * from './desk/review-plan.ts'
export * from './desk/segment.ts'
export * from './desk/team.ts'
export * from './desk/term.ts'
export * from './desk/texts.ts'
export * from './file.ts'
export * from './format.ts'
export * from './format-options.ts'
export * from './job.ts'
export * from './known-content.ts'
export * from './listener.ts'
export * from './operating/cassette.ts'
export * from './operating/client.ts'
export * from './operating/finding.ts'
export * from './operating/node.ts'
export * from './operating/operating-log.ts'
export * from './operating/report.ts'
export * from './operating/site.ts'
export * from './operating/site-delivery.ts'
export * from './operating/task.ts'
export {
  ErrorObject,
  Field,
  Fields,
  FileId,
  formSentences,
  GivenId,
  GivenTime,
  Id,
  JobId,
  LanguageCode,
  Metadata,
  oneLine,
  PageQuery,
  page,
  paging,
  Redirect,
  storable,
  Time,
} from './parts.ts'
export * from './provider.ts'
export * from './provider-side.ts'
export * from './quota.ts'
export * from './quote.ts'
export * from './request.ts'
export * from './routing.ts'
export * from './settings.ts'
export * from './status-update.ts'
export * from './support-asset.ts'
export * from './tm-update.ts'
export * from './token.ts'
export { default as Type } from './type.ts'
