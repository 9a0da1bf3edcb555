/** A file of random bytes for the bench to move, and what our side needs to move it. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSourceFile, type SourceFile } from '../tests/campaigns/source-file.ts'
import { type Child, startChild } from './child.ts'
import type { MoverVerbs } from './children/mover.ts'
import type { Bench } from './figure.ts'
import { type Caller, callHub, createJob, newPlace, startCaller } from './server.ts'

export const mib = 1024 ** 2

export type Transfer = {
  readonly fmsFileId: string
  readonly fmsSASToken: string
  readonly fmsUploadUrl: string
  readonly fmsPostMultipartUrl: string
}

export type Files = {
  readonly source: SourceFile
  readonly server: Caller
  readonly mover: Child<MoverVerbs>
  readonly jobId: string
  beginTransfer(): Promise<Transfer>
  /** The signed URL of the 307. */
  link(fileId: string): Promise<string>
  /** Throws unless the bytes equal the source. */
  mustBeSame(from: { url: string } | { file: string }): Promise<void>
  stop(): Promise<void>
}

export type FilesOptions = {
  /** Extra environment for the hub. */
  readonly env?: Record<string, string>
  /** An existing source file. */
  readonly source?: SourceFile
}

export async function openFiles(
  bench: Bench,
  name: string,
  bytes: number,
  { env, source: given }: FilesOptions = {},
): Promise<Files> {
  const folder = await bench.folder()
  if (!given) bench.say(`a file of ${Math.round(bytes / mib)} MiB`)
  const source = given ?? (await makeSourceFile(join(folder, 'source'), bytes))
  const place = await newPlace(bench)
  const server = await startCaller(bench, place, name, env)
  const mover = startChild<MoverVerbs>(bench, 'mover')
  const { jobId } = await createJob(server)
  return {
    source,
    server,
    mover,
    jobId,
    beginTransfer: () =>
      callHub(server, 'POST', `/v2/jobs/${jobId}/sourcefiles?fileName=large.bin`),
    link: async (fileId) => {
      const url = `http://127.0.0.1:${server.port}/v2/jobs/${jobId}/sourcefiles/${fileId}`
      const answer = await fetch(url, { headers: server.headers, redirect: 'manual' })
      const link = answer.headers.get('location')
      if (answer.status !== 307 || !link)
        throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
      return link
    },
    mustBeSame: async (from) => {
      const sha256 = await mover.ask('digest', from)
      if (sha256 !== source.sha256)
        throw new Error(`The bytes of ${JSON.stringify(from)} are not what was sent.`)
    },
    stop: async () => {
      await Promise.all([server.stop(), mover.stop()])
      // Frees gigabytes before other figures run.
      for (const gone of [folder, place.data]) await rm(gone, { recursive: true, force: true })
    },
  }
}
