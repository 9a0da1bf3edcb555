/** Drafts and workers for the folders of the desk. A caller that writes drafts has locked the request. */
export {
  lockRequest,
  type RequestPath,
  selectDrafts as readDrafts,
  selectWorker as readWorker,
  writeDelivered,
  writeDrafts,
} from './segment-rows.ts'
