/**
 * The client of the hub, for Node and browsers. `@dragoman/sdk/node` adds what needs files or
 * sockets.
 */
export {
  type AssetTask,
  HubError,
  type Job,
  type JobRequest,
  type Listener,
  type NewJob,
  type NewRequest,
  type Provider,
  type ProviderJob,
  type Quote,
  type Segment,
  type StatusUpdate,
  type TextParts,
} from '@dragoman/contract/wire'
export type { CallOptions } from './call.ts'
export type { CallInput, CallName, Calls, Item as ItemOf, PagedName } from './client.ts'
export {
  type Connection,
  type ConnectOptions,
  connect,
  connectLine,
  type Line,
  type PostOptions,
} from './connect.ts'
export { type Connector, installationOf } from './connector.ts'
export { type AddOptions, type Fields, type Item, superseding } from './content.ts'
export type { Download, Downloadable } from './download.ts'
export { isPassing, unreachable } from './failures.ts'
export { type KeptTexts, keptInBrowser, keptInMemory } from './kept-texts.ts'
export { type LanguageTable, mapLanguage } from './languages.ts'
export type { LogSink, Transaction } from './log.ts'
export { cutName } from './names.ts'
export { type PollOptions, type UpdateHandler, usualPollMs } from './poll.ts'
export {
  connectProvider,
  type ProviderConnection,
  type TaskIds,
  type Work,
  type WorkOptions,
} from './provider.ts'
export type { Push } from './push.ts'
export { openReceiver, type Receive, type ReceiverOptions } from './receive.ts'
export { type RetryPolicy, usualRetry } from './retry.ts'
export { type Source, sourceOf } from './source.ts'
export type { UploadOptions } from './upload.ts'
export {
  type Delivery,
  type Verified,
  type VerifyOptions,
  verifyDelivery,
} from './verify-delivery.ts'
export type { Waited, WaitOptions } from './wait.ts'
