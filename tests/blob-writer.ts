/**
 * A child process that writes blobs, to be killed or traced: it runs the built code and prints each
 * row that it would commit.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Progress } from '../packages/server/src/blobs/blob-store.ts'

export type UploadPlace = { readonly offset: number; readonly progress: Progress }

const compiled = new URL('../packages/server/dist/blobs/open-blobs.js', import.meta.url).href

const program = `
import { open } from 'node:fs/promises'
const { openBlobs } = await import(process.argv[1])
const { url, blobId, what, file, step, row } = JSON.parse(process.argv[2])
const store = await openBlobs(url, { clock: Date.now })
const tell = (word) => process.stdout.write(JSON.stringify(word) + '\\n')
const handle = await open(file)
const { size } = await handle.stat()
const source = (start, end) => handle.createReadStream({ start, end: end - 1, autoClose: false, highWaterMark: 50_000 })
try {
  if (what === 'put') {
    tell({ done: await store.put(blobId, source(0, size), { maxBytes: size }) })
  } else {
    let at = row
    while (at.offset < size) {
      const { offset, progress } = await store.append(blobId, at, source(at.offset, Math.min(size, at.offset + step)), { maxBytes: size })
      at = { offset, progress }
      tell({ row: at })
    }
    tell({ done: await store.finish(blobId, { size, progress: at.progress }) })
  }
} catch (error) {
  tell({ failed: error.name, says: error.message })
}
process.exit(0)`

export type Told = {
  readonly row?: UploadPlace
  readonly done?: { readonly size: number; readonly sha256: string }
  readonly failed?: string
  readonly says?: string
}

export type Work = {
  readonly url: string
  readonly blobId: string
  readonly what: 'put' | 'append'
  /** The source of the bytes. */
  readonly file: string
  /** The size of each append in bytes. */
  readonly step?: number
  readonly row?: UploadPlace
}

/**
 * Runs it to the end, or kills it once it has printed `killAfter` rows. Returns everything that it
 * printed.
 */
export async function runBlobWriter(
  work: Work,
  options: { readonly killAfter?: number; readonly under?: readonly string[] } = {},
): Promise<Told[]> {
  const [command = process.execPath, ...before] = [...(options.under ?? []), process.execPath]
  const args = [...before, '--input-type=module', '-e', program, compiled, JSON.stringify(work)]
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const told: Told[] = []
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString()
  })
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      told.push(JSON.parse(line) as Told)
      if (told.length === options.killAfter) child.kill('SIGKILL')
    })
  await new Promise((resolve) => child.once('close', resolve))
  if (told.length === 0 && options.killAfter === undefined)
    throw new Error(`The writer told nothing: ${said}`)
  return told
}
