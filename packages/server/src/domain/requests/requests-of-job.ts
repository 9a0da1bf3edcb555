/** The requests of one job, for the rooms above that hand it over and price it. The job is locked where they are written. */
export {
  measureRequests,
  replaceRequests as writeRequests,
  selectMovable as readMovable,
  selectRange as readRange,
  selectRequests as readRequests,
  selectUnready as readUnready,
} from './request-rows.ts'
