/**
 * A small disk in memory that can be filled and freed again. Only root may mount one: elsewhere its
 * tests say SKIPPED.
 */
import { execFileSync } from 'node:child_process'
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = {
  readonly path: string
  /** Leaves about so many bytes free. */
  fill(leave: number): void
  free(): void
  remove(): void
}

/** A sentence where it cannot be had. */
export function smallDisk(bytes: number, owner?: { uid: number; gid: number }): SmallDisk | string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may mount a small disk'
  const path = mkdtempSync(join(tmpdir(), 'dragoman-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    rmSync(path, { recursive: true })
    return `a small disk cannot be mounted here: ${String(error).split('\n')[0]}`
  }
  if (owner) chownSync(path, owner.uid, owner.gid)
  const filler = join(path, '.filler')
  return {
    path,
    fill: (leave) => {
      rmSync(filler, { force: true })
      const file = openSync(filler, 'w')
      const block = Buffer.alloc(64 * 1024)
      let written = 0
      try {
        for (;;) written += writeSync(file, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
      execFileSync('truncate', ['-s', String(Math.max(0, written - leave)), filler])
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', path], { stdio: 'pipe' })
      rmSync(path, { recursive: true })
    },
  }
}
