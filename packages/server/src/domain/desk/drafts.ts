/** Drafts of a request for the rooms below this one. */
export {
  lockRequest,
  type RequestPath,
  selectDrafts as readDrafts,
  writeDelivered,
} from './segment-rows.ts'
