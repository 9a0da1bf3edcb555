/**
 * The URLs of file transfer: they appear in transfer objects, Location headers and redirects only.
 */

import type { FmsTransferObject } from '@dragoman/contract'
import type { Config } from '../../config/config.ts'
import { pathPrefix } from '../../config/path-prefix.ts'
import type { Transfer } from '../../domain/files/begin-transfer.ts'
import type { Form } from '../../domain/files/sas.ts'
import type { LinkTo } from '../../domain/files/serve.ts'

export const tusPath = '/fms/tus'
export const multipartPath = '/fms/multipart'
export const downloadPath = '/fms/files'
export const contentPath = '/fms/contents'

export const transferObject = (publicUrl: string, transfer: Transfer): FmsTransferObject => ({
  fmsFileId: transfer.fileId,
  fmsSASToken: transfer.sasToken,
  fmsUploadUrl: `${publicUrl}${tusPath}/${transfer.fileId}`,
  fmsPostMultipartUrl: `${publicUrl}${multipartPath}/${transfer.fileId}?token=${transfer.multipartToken}`,
})

export const locationOf = (publicUrl: string, to: LinkTo): { location: string } => {
  if ('url' in to) return { location: to.url }
  const { subject, form, until, by, signature } = to.link
  const holder =
    by === undefined ? '' : `&by=${encodeURIComponent(`${by.clientId}.${by.since.toString(36)}`)}`
  const path = subject.includes('.') ? contentPath : downloadPath
  return {
    location: `${publicUrl}${path}/${subject}?as=${form}&until=${until}${holder}&sig=${signature}`,
  }
}

/** A path on the same host (contract, section 6), below the hub's path prefix. */
export const uploadPath = (config: Config, uploadId: string): string =>
  `${pathPrefix(config)}${tusPath}/${uploadId}`

/**
 * Base64 in a JSON string: only at retrievefile, and only for callers that accept JSON alone
 * (contract, sections 4 and 11).
 */
export const formOf = (accept: string | undefined): Form =>
  accept && /^\s*application\/json\s*(;[^,]*)?$/i.test(accept) ? 'json' : 'bytes'
