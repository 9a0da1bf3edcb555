/**
 * The requests of a job for the rooms above this one. A caller that writes requests has locked the
 * job.
 */
export {
  countOpenRequests as countOpen,
  type FoundRequest,
  insertRequests,
  measureRequests,
  selectAllFound as readAllFound,
  selectGivenMetadata as readGivenMetadata,
  selectLanguagePairs as readLanguagePairs,
  selectLight as readLight,
  selectMetadata as readMetadata,
  selectMovable as readMovable,
  selectRange as readRange,
  selectRequests as readRequests,
  selectUnready as readUnready,
  updateRequests,
} from './request-rows.ts'
