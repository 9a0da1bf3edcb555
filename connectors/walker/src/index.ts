/** Content as translators see it, and the rules of every connector. No I/O, no dependency. */
export { digest } from './digest.ts'
export { only, pathsOf } from './only.ts'
export { hasSameMarks } from './rich/marks.ts'
export {
  type Arrived,
  type Conflict,
  choose,
  type Known,
  type Merged,
  mayPublish,
  merge,
  type Phase,
  type Side,
  type Standing,
  type State,
  stateOf,
  type Texts,
  whatToSend,
  whyNotSendable,
} from './rules.ts'
export type {
  ListSchema,
  ObjectSchema,
  OneOfSchema,
  RichForm,
  RichSchema,
  Schema,
  Text,
  TextKind,
  TextSchema,
  WalkerErrorCode,
} from './schema.ts'
export { step } from './schema.ts'
export { find, place } from './walk.ts'
