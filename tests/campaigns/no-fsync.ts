/**
 * Disables flushing in a running process from outside: every such call succeeds and does nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const calls = 'fsync,fdatasync,sync_file_range,msync,syncfs,sync'

/** Whether a program for this is installed. */
export const canTrace = (): boolean => spawnSync('strace', ['-V']).status === 0

/**
 * `everything`, or only `files`: rows are flushed by the main thread, files by the other threads.
 * Resolves when it applies; ends with the process.
 */
export function dropFlushes(pid: number, of: 'everything' | 'files'): Promise<void> {
  const threads =
    of === 'everything'
      ? [String(pid)]
      : readdirSync(`/proc/${pid}/task`).filter((id) => id !== String(pid))
  const args = [...(of === 'everything' ? ['-f'] : []), ...threads.flatMap((id) => ['-p', id])]
  const tracer = spawn('strace', [...args, '-e', `inject=${calls}:retval=0`, '-o', '/dev/null'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let said = ''
    tracer.on('error', reject)
    tracer.on('exit', (code) => reject(new Error(`strace ended with ${code}: ${said}`)))
    tracer.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      if ((said.match(/Process \d+ attached/g) ?? []).length >= threads.length) resolve()
    })
  })
}
