export * from './client.ts'
export * from './console-delivery.ts'
export * from './file.ts'
export * from './finding.ts'
export * from './format.ts'
export * from './format-options.ts'
export * from './job.ts'
export * from './job-lanes.ts'
export * from './listener.ts'
export * from './node.ts'
export * from './operating-log.ts'
export * from './overview.ts'
export {
  ErrorObject,
  Field,
  Fields,
  FileId,
  GivenId,
  GivenTime,
  Id,
  JobId,
  LanguageCode,
  Metadata,
  PageQuery,
  page,
  paging,
  Redirect,
  storable,
  Time,
} from './parts.ts'
export * from './person.ts'
export * from './provider.ts'
export * from './provider-side.ts'
export * from './quota.ts'
export * from './quote.ts'
export * from './report.ts'
export * from './request.ts'
export * from './role.ts'
export * from './session.ts'
export * from './set-up.ts'
export * from './settings.ts'
export * from './sign-in.ts'
export * from './site.ts'
export * from './site-delivery.ts'
export * from './status-update.ts'
export * from './support-asset.ts'
export * from './task.ts'
export * from './tm-update.ts'
export * from './token.ts'
export { default as Type } from './type.ts'
