/**
 * What a test file cost in processor time: its own process and every process below it. `npm test` lists the dearest files by this,
 * because it says the same on a busy machine. Read from /proc, so only on Linux; elsewhere there are no figures.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds on a processor, of the file's process and those below it. */
    processorMs?: number
  }
}

/** Counted in hundredths of a second on every Linux that Node runs on. */
const msPerTick = 10

type Process = { readonly pid: number; readonly parent: number; readonly ticks: number }

/** A name may hold spaces and brackets: fields are counted from behind the last bracket. Ended children that were waited for are in it. */
function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      pid,
      parent: Number(fields[1]),
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    }
  } catch {
    // It ended meanwhile.
    return undefined
  }
}

/** Milliseconds that a process and all below it have spent so far. */
export function processorMs(root: number): number {
  if (!existsSync('/proc/self/stat')) return 0
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const spentBelow = (pid: number): number =>
    all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.ticks + spentBelow(child.pid), 0)
  return ((readProcess(root)?.ticks ?? 0) + spentBelow(root)) * msPerTick
}

/** A process may run several files, one after another: each is charged with what came since the one before. */
const counted = globalThis as { dragomanProcessorMs?: number }

// biome-ignore lint/correctness/noEmptyPattern: the runner reads what a hook asks for from its first parameter.
afterAll(({}, { file }) => {
  const now = processorMs(process.pid)
  file.meta.processorMs = now - (counted.dragomanProcessorMs ?? 0)
  counted.dragomanProcessorMs = now
})
