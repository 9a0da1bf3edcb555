/**
 * Sends a file to the hub by TUS. The bytes go to the path of the transfer object on this page's own origin, whatever public
 * URL the hub has: the content security policy allows nothing else. An upload that was cut goes on where it stopped.
 */
import { Upload } from 'tus-js-client'
import type { DraftFile } from './form.ts'

export type UploadEvents = {
  /** The upload has its own address: with it, it can be resumed. */
  began(url: string): void
  progress(sent: number): void
  done(): void
  interrupted(why: string): void
}

const chunkBytes = 16 * 1024 ** 2
const retryDelays = [0, 1_000, 3_000, 5_000]

/** Returns how to stop it. */
export function startUpload(file: File, { path, sas, url }: DraftFile, told: UploadEvents): () => void {
  const upload = new Upload(file, {
    endpoint: path ?? '',
    ...(url && { uploadUrl: url }),
    headers: { sastoken: sas ?? '' },
    chunkSize: chunkBytes,
    retryDelays,
    storeFingerprintForResuming: false,
    metadata: file.type ? { contentType: file.type } : {},
    onUploadUrlAvailable: () => told.began(pathOf(upload.url ?? '')),
    onProgress: (sent) => told.progress(sent),
    onSuccess: () => told.done(),
    onError: (error) => told.interrupted(error.message),
  })
  upload.start()
  return () => void upload.abort()
}

/** The path of an address of the hub. */
export const pathOf = (address: string): string => new URL(address, location.href).pathname
