/**
 * `@dragoman/contract/wire`: what a client needs of the contract, without the schemas and their
 * library, so that it loads in a fraction of the time and stays small in a browser. All types are
 * included; they are published as plain declarations (scripts/plain-types.mjs).
 */
export * from './allowed.ts'
export * from './audit-things.ts'
export * from './bounded-json.ts'
export * from './call-table.ts'
export * from './certificate-words.ts'
export * from './checks.ts'
export type * from './console-endpoints.ts'
export * from './durations.ts'
export * from './edit-distance.ts'
export * from './endpoints/call-path.ts'
export type * from './endpoints.ts'
export * from './errors.ts'
export * from './formats/index.ts'
export * from './job-filter.ts'
export * from './languages.ts'
export * from './lifecycle.ts'
export * from './limits.ts'
export * from './reports.ts'
export { isLimited, type Role, roles, workRoles } from './schemas/console/role.ts'
export type * from './schemas/index.ts'
export * from './segmentation.ts'
export * from './topics.ts'
