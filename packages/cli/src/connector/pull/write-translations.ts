/**
 * Writes translations: each file is written completely or left as it was. A file that somebody
 * edited since the last pull is a conflict, and is kept unless `force` is set; a file with the same
 * content is not touched.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeWhole } from '@dragoman/sdk/node'
import { Refusal, type Screen } from '../../command.ts'
import { openProgress } from '../../progress.ts'
import type { Joined } from '../hub-connection.ts'
import { besideRoot, type Placed } from './pull-paths.ts'
import { readPulled, writePulled } from './pulled-state.ts'

export type Outcome = 'new' | 'changed' | 'unchanged' | 'conflict'
export type Written = Placed & { readonly outcome: Outcome }
type How = { readonly force: boolean; readonly signal: AbortSignal }

export async function writeTranslations(
  { hub, project, folder }: Joined,
  placed: readonly Placed[],
  screen: Screen,
  { force, signal }: How,
): Promise<Written[]> {
  const bar = openProgress(screen)
  const pulled = await readPulled(folder)
  const files: Record<string, string> = { ...pulled.files }
  const written: Written[] = []
  const keep = () => writePulled(folder, { ...pulled, files })
  try {
    for (const [at, one] of placed.entries()) {
      signal.throwIfAborted()
      const name = besideRoot(project.root, one.path)
      bar.show(at, placed.length, name)
      const there = await hashOf(one.path)
      let outcome: Outcome = 'new'
      await writeWhole(one.path, await piecesOf(hub, one, signal), (sha256) => {
        outcome = outcomeOf(there, sha256, force || files[name] === there)
        if (outcome !== 'conflict') files[name] = sha256
        return outcome === 'new' || outcome === 'changed'
      })
      written.push({ ...one, outcome })
    }
  } catch (error) {
    await keep().catch(() => {})
    throw asRefusal(error)
  } finally {
    bar.end()
  }
  await keep()
  return written
}

function outcomeOf(there: string | undefined, sha256: string, isOurs: boolean): Outcome {
  if (there === undefined) return 'new'
  if (there === sha256) return 'unchanged'
  return isOurs ? 'changed' : 'conflict'
}

const piecesOf = async (hub: Joined['hub'], { request }: Placed, signal: AbortSignal) =>
  request.fileName !== undefined
    ? (await hub.download(request, { signal })).chunks()
    : [new TextEncoder().encode(`${JSON.stringify(await hub.fields(request), null, 2)}\n`)]

/** Undefined if the file does not exist. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
  return hash.digest('hex')
}

const diskTroubles: Record<string, string> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'it is read-only',
  EACCES: 'permission denied',
  EISDIR: 'a folder is in the way',
  ENOTDIR: 'a file is in the way of a folder',
}

function asRefusal(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  const trouble = code === undefined ? undefined : diskTroubles[code]
  if (trouble === undefined) return error
  const where = path === undefined ? 'The translation' : path.replace(/\.[0-9a-f]{12}\.part$/, '')
  return new Refusal(
    `${where} was not written: ${trouble}. The files written so far are complete; run the command again for the rest.`,
  )
}
