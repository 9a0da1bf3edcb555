/**
 * `@dragoman/contract/reference`: what is generated from the tables: the OpenAPI document, pages,
 * samples, help on errors.
 */

export * from './assistants/call-arguments.ts'
export * from './assistants/tools.ts'
export * from './call-table-page.ts'
export * from './docs.ts'
export * from './error-help/index.ts'
export * from './openapi.ts'
export { ownKeywords } from './openapi-schemas.ts'
export * from './samples/index.ts'
