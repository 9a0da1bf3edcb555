/**
 * The files of the draft and their uploads: started as soon as there is a job, resumed after an
 * interruption or when a file is chosen again.
 */
import { limits } from '@dragoman/contract/wire'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, HubFailure } from '../../hub.ts'
import { type DraftFile, isSameFile } from './form.ts'
import { readDraft } from './stored-draft.ts'
import { pathOf, startUpload } from './uploads.ts'

export type Files = {
  readonly files: readonly DraftFile[]
  readonly addFiles: (chosen: readonly File[]) => void
  readonly removeFile: (name: string) => void
  /** Resumes what was interrupted, if the file is available. */
  readonly resume: () => void
  readonly hasBytes: (name: string) => boolean
  readonly begin: (jobId: string) => void
  readonly stop: () => void
}

/** Parallel uploads: browsers allow six connections to a host, and the page needs some. */
const atOnce = 3

export function useFiles(jobId: string | undefined): Files {
  const [files, setFiles] = useState<readonly DraftFile[]>(
    () => (jobId && readDraft(jobId)?.files) || [],
  )
  const bytes = useRef(new Map<string, File>())
  const running = useRef(new Map<string, () => void>())
  const latest = useRef(files)
  latest.current = files
  const draft = useRef(jobId)

  const change = useCallback((name: string, some: Partial<DraftFile>) => {
    const next = latest.current.map((file) => (file.name === name ? { ...file, ...some } : file))
    latest.current = next
    setFiles(next)
  }, [])

  const next = useCallback((): void => {
    const id = draft.current
    if (id === undefined) return
    for (const waiting of latest.current) {
      const file = bytes.current.get(waiting.name)
      if (waiting.state !== 'waiting' || !file || running.current.size >= atOnce) continue
      running.current.set(waiting.name, () => {})
      change(waiting.name, { state: 'uploading' })
      void send(id, waiting, file)
    }
    async function send(job: string, waiting: DraftFile, file: File): Promise<void> {
      const { name } = waiting
      const end = (some: Partial<DraftFile>): void => {
        running.current.delete(name)
        change(name, some)
        next()
      }
      try {
        const transfer = waiting.fmsFileId === undefined ? await transferFor(job, name) : waiting
        if (!running.current.has(name)) return
        change(name, transfer)
        const stop = startUpload(
          file,
          { ...waiting, ...transfer },
          {
            began: (url) => change(name, { url }),
            progress: (sent) => change(name, { sent }),
            done: () => end({ state: 'stored', sent: file.size }),
            interrupted: (why) => end({ state: 'interrupted', why }),
          },
        )
        running.current.set(name, stop)
      } catch (error) {
        end({
          state: 'interrupted',
          why: error instanceof HubFailure ? error.message : String(error),
        })
      }
    }
  }, [change])

  const resume = useCallback((): void => {
    for (const { name, state } of latest.current)
      if (state === 'interrupted' && bytes.current.has(name)) change(name, { state: 'waiting' })
    next()
  }, [change, next])
  useEffect(() => {
    window.addEventListener('online', resume)
    return () => window.removeEventListener('online', resume)
  }, [resume])

  const stop = useCallback((): void => {
    for (const end of running.current.values()) end()
    running.current.clear()
  }, [])
  useEffect(() => stop, [stop])

  return {
    files,
    resume,
    stop,
    hasBytes: (name) => bytes.current.has(name),
    begin: (id) => {
      draft.current = id
      next()
    },
    addFiles: (chosen) => {
      for (const file of chosen) {
        const known = latest.current.find((one) => one.name === file.name)
        if (known && !isSameFile(known, file) && known.state !== 'interrupted') continue
        bytes.current.set(file.name, file)
        if (known?.state === 'stored' || known?.state === 'uploading') continue
        const fresh: DraftFile = {
          name: file.name,
          size: file.size,
          modified: file.lastModified,
          state: 'waiting',
          sent: 0,
        }
        const again =
          known && isSameFile(known, file) ? { ...known, state: 'waiting' as const } : fresh
        const tooLarge = file.size > limits.fileBytes
        const row = tooLarge
          ? { ...fresh, state: 'interrupted' as const, why: 'FILE_TOO_LARGE' }
          : again
        latest.current = [...latest.current.filter((one) => one.name !== file.name), row]
      }
      setFiles(latest.current)
      next()
    },
    removeFile: (name) => {
      running.current.get(name)?.()
      running.current.delete(name)
      bytes.current.delete(name)
      latest.current = latest.current.filter((file) => file.name !== name)
      setFiles(latest.current)
    },
  }
}

async function transferFor(
  jobId: string,
  fileName: string,
): Promise<Pick<DraftFile, 'fmsFileId' | 'sas' | 'path'>> {
  const { fmsFileId, fmsSASToken, fmsUploadUrl } = await call('createSourceFile', {
    params: { jobId },
    query: { fileName },
  })
  return { fmsFileId, sas: fmsSASToken, path: pathOf(fmsUploadUrl) }
}
