/** Source files and source content of a job (contract, sections 4 and 6). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { Fields, FileId, Id, name, shown } from './parts.ts'
import Type from './type.ts'

export const FileQuery = Type.Object({
  fileName: name(limits.fileNameCharacters * 4, {
    maxCodePoints: limits.fileNameCharacters,
    description: 'The name of the file, with its extension.',
  }),
})

/** Exactly these four: deployed clients find the file transfer through them alone. */
export const FmsTransferObject = Type.Object(
  {
    fmsFileId: FileId,
    fmsSASToken: Type.String({ description: 'Send it as the header sastoken in TUS calls.' }),
    fmsUploadUrl: Type.String({
      format: 'uri',
      description:
        'URL for a resumable upload (TUS 1.0.0), also in parallel parts. Upload-Metadata: `contentType` (or `filetype`) is the media type; `name`, `chunkSize` and others are kept and returned.',
    }),
    fmsPostMultipartUrl: Type.String({
      format: 'uri',
      description: 'URL for a direct multipart upload, in the part `file`.',
    }),
  },
  { title: 'FMSTransferObject' },
)
export type FmsTransferObject = Static<typeof FmsTransferObject>

export const NewSourceContent = Type.Object({ fields: Fields }, { title: 'NewSourceContent' })
export const SourceContent = shown(
  { sourcecontentId: Id, fields: Fields },
  { sourceContentId: 'sourcecontentId' },
  { title: 'SourceContent' },
)
export type SourceContent = Static<typeof SourceContent>
