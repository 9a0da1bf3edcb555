/** The drafts of a request for the folders of the desk. A caller that writes has locked it. */
export { selectDrafts as readDrafts, writeDrafts } from './segment-rows.ts'
