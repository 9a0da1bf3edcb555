/**
 * `@dragoman/docs/reference`: what is written from the tables of the contract: the OpenAPI
 * document, pages of docs/, samples of every call, help on errors. Scripts and the server use it;
 * the server loads it with the first call that needs it.
 */
export * from './call-arguments.ts'
export * from './error-help/index.ts'
export * from './formats-page.ts'
export { openapi } from './openapi.ts'
export { ownKeywords } from './openapi-schemas.ts'
export * from './pages.ts'
export * from './samples/index.ts'
