/** Handlers of source files. */
import { createSourceFile, findSourceFile } from '../../domain/jobs/source-files.ts'
import { locationOf, transferObject } from '../transfer/addresses.ts'
import type { Handlers } from './bind.ts'

export const sourceFileHandlers = {
  createSourceFile: async (hub, call, { params, query }, web) =>
    transferObject(web.publicUrl, await createSourceFile(hub, call, params.jobId, query.fileName)),
  findSourceFile: async (hub, call, { params }, web) =>
    locationOf(
      web.publicUrl,
      await findSourceFile(hub, call, { jobId: params.jobId, fileId: params.fmsFileId }),
    ),
  retrieveSourceFile: async (hub, call, { params }, web) =>
    locationOf(web.publicUrl, await findSourceFile(hub, call, params)),
} satisfies Partial<Handlers>
