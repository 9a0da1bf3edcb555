/** What the SDK adds in Node: files, folders, a daily log, and delivery handlers. */
export { dailyLog } from './daily-log.ts'
export { fileSource, filesIn } from './file-source.ts'
export { keptInFolder } from './kept-in-folder.ts'
export { expressReceiver, fastifyReceiver, httpReceiver } from './receivers.ts'
export { distinctPath, folded, safePath } from './safe-path.ts'
export { saveDownload, writeWhole } from './save.ts'
