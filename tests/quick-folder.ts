/**
 * A temporary folder in memory, if there is room: flushes are free there, and tests of what the hub
 * does need no disk. Tests of durability make their own folders.
 */
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const wantedBytes = 4 * 1024 ** 3

export function quickFolder(prefix: string): string {
  return mkdtempSync(join(isRoomy('/dev/shm') ? '/dev/shm' : tmpdir(), prefix))
}

function isRoomy(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= wantedBytes
  } catch {
    return false
  }
}
