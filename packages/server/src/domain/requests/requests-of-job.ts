/** The requests of a job for the rooms above this one. A caller that writes requests has locked the job. */
export {
  measureRequests,
  replaceRequests as writeRequests,
  selectLanguagePairs as readLanguagePairs,
  selectMovable as readMovable,
  selectRange as readRange,
  selectRequests as readRequests,
  selectUnready as readUnready,
} from './request-rows.ts'
