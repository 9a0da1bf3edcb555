export {
  type Awaited,
  type AwaitedSegment,
  type FoundTarget,
  identify,
  type JudgedXliff,
  judgeXliff,
  type Problem,
} from './exchange/judge-xliff.ts'
export {
  fingerprintOf,
  type Identity,
  isSameText,
  type PackedFile,
  type PackedMatch,
  type PackedSegment,
} from './exchange/package-file.ts'
export { escapeAttribute } from './exchange/write-inline.ts'
export { writeXliff2 } from './exchange/write-xliff-2.ts'
export { writeXliff12 } from './exchange/write-xliff-12.ts'
