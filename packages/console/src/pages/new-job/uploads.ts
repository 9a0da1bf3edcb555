/**
 * Uploads a file to the hub by TUS. The bytes go to the path of the transfer object on this page's
 * own origin, whatever the hub's public URL is: the content security policy allows nothing else. An
 * interrupted upload resumes where it stopped.
 */
import { Upload } from 'tus-js-client'
import type { DraftFile } from './form.ts'

type UploadEvents = {
  /** The upload has its URL: with it, it can be resumed. */
  began(url: string): void
  progress(sent: number): void
  done(): void
  interrupted(why: string): void
}

const chunkBytes = 16 * 1024 ** 2
const retryDelays = [0, 1_000, 3_000, 5_000]

/** Returns a function that stops it. */
export function startUpload(
  file: File,
  { path, sas, url }: DraftFile,
  told: UploadEvents,
): () => void {
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

/** The path of a URL of the hub. */
export const pathOf = (address: string): string => new URL(address, location.href).pathname
