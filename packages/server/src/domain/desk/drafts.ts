/** Drafts and workers for the folders of the desk. A caller that writes drafts has locked the request. */
export {
  selectDrafts as readDrafts,
  selectWorker as readWorker,
  writeDrafts,
} from './segment-rows.ts'
