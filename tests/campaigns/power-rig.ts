/**
 * A disk whose power can be cut. An ext4 image is loop-mounted on a file in a second loop-mounted
 * ext4: data that the inner file system has not flushed is at most in the page cache of the outer
 * one. The cut shuts the outer one down without a flush (with the ioctl that file system tests
 * use), at one moment and for good; then its image is copied and mounted. The copy has exactly what
 * was flushed through both, like a disk that loses its write cache.
 */
import { execFile } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const mib = 1024 ** 2

export type Mounted = { readonly folder: string; close(): Promise<void> }
export type PowerRig = Mounted & {
  /**
   * The disk as it is after the cut. Everything that still uses the rig gets I/O errors from now
   * on.
   */
  cut(): Promise<{ restore(): Promise<Mounted> }>
}

/** Does not flush by itself for ten minutes, so that only explicit flushes count. */
const options = 'loop,commit=600'
const ready = ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0']

export async function openPowerRig(bytes: number): Promise<PowerRig> {
  const place = mkdtempSync(join(tmpdir(), 'dragoman-power-'))
  const at = (name: string) => join(place, name)
  for (const name of ['outer', 'inner', 'copied-outer', 'copied-inner']) mkdirSync(at(name))
  const mounted: string[] = []
  const mount = async (image: string, folder: string) => {
    await run('mount', ['-o', options, image, folder])
    mounted.unshift(folder)
  }
  const close = async () => {
    for (const folder of mounted.splice(0)) await run('umount', [folder])
    rmSync(place, { recursive: true })
  }
  try {
    makeSparse(at('disk'), bytes + 64 * mib)
    await run('mkfs.ext4', [...ready, at('disk')])
    await mount(at('disk'), at('outer'))
    const inner = join(at('outer'), 'image')
    writeZeros(inner, bytes)
    await run('mkfs.ext4', [...ready, inner])
    await run('sync', ['-f', inner])
    await mount(inner, at('inner'))
  } catch (error) {
    await close()
    throw error
  }
  return {
    folder: at('inner'),
    close,
    async cut() {
      await run('perl', ['-e', shutDown, at('outer')])
      return {
        async restore() {
          await run('cp', ['--sparse=always', at('disk'), at('copy')])
          for (const folder of mounted.splice(0)) await run('umount', [folder])
          await mount(at('copy'), at('copied-outer'))
          await mount(join(at('copied-outer'), 'image'), at('copied-inner'))
          return { folder: at('copied-inner'), close }
        },
      }
    },
  }
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH; perl is part of every Debian. */
const shutDown =
  'my $how = pack("L", 2); open(my $f, "<", $ARGV[0]) or die $!; ioctl($f, 0x8004587d, $how) or die $!'

function makeSparse(path: string, bytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}

/** Allocates all blocks of the image at the start: writing to it changes only its bytes. */
function writeZeros(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(mib)
  for (let left = bytes; left > 0; left -= mib) writeSync(file, piece)
  closeSync(file)
}

/**
 * Tests the whole rig with two small files, one flushed and one not; says why there is no such rig,
 * if there is none.
 */
export async function whyNoPowerRig(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'loop-mounted images are of Linux'
  if (process.getuid?.() !== 0) return 'mounting images needs root'
  let rig: Mounted | undefined
  try {
    const made = await openPowerRig(16 * mib)
    rig = made
    const flushed = openSync(join(made.folder, 'flushed'), 'w')
    writeSync(flushed, 'flushed')
    fsyncSync(flushed)
    closeSync(flushed)
    writeFileSync(join(made.folder, 'unflushed'), 'unflushed')
    const after = await (await made.cut()).restore()
    if (read(after, 'flushed') !== 'flushed') return 'the rig loses what was flushed'
    if (read(after, 'unflushed') === 'unflushed') return 'the rig keeps what was not flushed'
    return undefined
  } catch (error) {
    return `an image cannot be mounted here (${(error as Error).message.trim().split('\n').at(-1)})`
  } finally {
    await rig?.close()
  }
}

function read({ folder }: Mounted, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}
