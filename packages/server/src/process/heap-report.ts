/**
 * Notes that the heap ended this process, for its next start: V8 writes a report before it gives
 * up, and nothing else can run then. The file is empty while all is well, and only its owner can
 * read it. A report would show the environment, so where Node cannot leave that out, the secrets of
 * the hub are removed from it first, and with secrets of others in it no report is written.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folderIn = (data: string): string => join(data, 'heap-reports')

/** Returns a function that says that this process ended in another way. */
export function watchHeap(
  data: string,
  nodeId: string,
  secretNames: readonly string[],
): () => void {
  const { report } = process
  const canExclude = 'excludeEnv' in report
  if (canExclude) report.excludeEnv = true
  else for (const name of secretNames) delete process.env[name]
  if (!canExclude && Object.keys(process.env).some((name) => secretLike.test(name))) return () => {}
  const folder = folderIn(data)
  const name = `${nodeId}.json`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, name), '', { mode: 0o600 })
  Object.assign(report, { directory: folder, filename: name, compact: true, excludeNetwork: true })
  report.reportOnFatalError = true
  return () => {
    report.reportOnFatalError = false
    rmSync(join(folder, name), { force: true })
  }
}

const secretLike = /secret|passw|token|credential|_key$|api_?key/i

/** The nodes that the heap ended, each once. Files of other nodes that run stay. */
export function takeHeapReports(data: string, isRunning: (nodeId: string) => boolean): string[] {
  const folder = folderIn(data)
  let files: string[]
  try {
    files = readdirSync(folder).filter((file) => /^[\w-]{1,64}\.json$/.test(file))
  } catch {
    return []
  }
  return files.flatMap((file) => {
    const nodeId = file.slice(0, -'.json'.length)
    const isEnded = readFileSync(join(folder, file), 'utf8').includes('heap')
    if (isEnded || !isRunning(nodeId)) rmSync(join(folder, file), { force: true })
    return isEnded ? [nodeId] : []
  })
}
