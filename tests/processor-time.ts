/**
 * The processor time of a test file: of its own process and all descendants. `npm test` lists the
 * most expensive files by it, because it does not depend on how busy the machine is. Read from
 * /proc, so only on Linux; elsewhere there are no figures.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time in milliseconds, of the file's process and its descendants. */
    processorMs?: number
  }
}

/** A tick is a hundredth of a second on every Linux that Node runs on. */
const msPerTick = 10

type Process = { readonly pid: number; readonly parent: number; readonly ticks: number }

/**
 * A process name may contain spaces and brackets, so fields are counted from the last bracket.
 * Includes children that have ended and were waited for.
 */
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
    // The process has ended in the meantime.
    return undefined
  }
}

/** Milliseconds that a process and its descendants have used so far. */
export function processorMs(root: number): number {
  if (!existsSync('/proc/self/stat')) return 0
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const spentBelow = (pid: number): number =>
    all
      .filter(({ parent }) => parent === pid)
      .reduce((sum, child) => sum + child.ticks + spentBelow(child.pid), 0)
  return ((readProcess(root)?.ticks ?? 0) + spentBelow(root)) * msPerTick
}

/**
 * A process may run several files, one after another: each is charged with the time since the
 * previous one.
 */
const counted = globalThis as { dragomanProcessorMs?: number }

// biome-ignore lint/correctness/noEmptyPattern: the runner reads which fixtures a hook needs from its first parameter.
afterAll(({}, { file }) => {
  const now = processorMs(process.pid)
  file.meta.processorMs = now - (counted.dragomanProcessorMs ?? 0)
  counted.dragomanProcessorMs = now
})
