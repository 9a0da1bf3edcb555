/** Describes the machine behind the figures: enough to judge them, nothing that identifies it. */
import { readdir, readFile, statfs } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'

export async function describeMachine(): Promise<string> {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const model = first?.model.replace(/\s+/g, ' ').trim() || 'unknown model'
  return `${cpus().length} cores (${model}), ${memory} GiB, ${await diskKind()}, Node ${process.versions.node}, ${process.platform} ${process.arch}`
}

/** Checked before the bench begins: other load shifts the ratios in either direction. */
export function describeLoad(): string {
  const [lately = 0] = loadavg()
  return lately > cpus().length / 2 ? `, load ${lately.toFixed(1)} when it began` : ''
}

/** The kind of disk under the temporary folder, which holds the bench's databases. */
async function diskKind(): Promise<string> {
  // linux/magic.h: fsync means nothing on a tmpfs, so the report must say so.
  if (process.platform === 'linux' && (await statfs(tmpdir())).type === 0x01021994)
    return 'databases in memory (tmpfs)'
  const disks = await readdir('/sys/block').catch(() => [])
  const real = disks.filter((name) => /^(nvme|sd|vd|xvd|mmcblk)/.test(name))
  const kinds = await Promise.all(real.map(kindOf))
  return [...new Set(kinds)].join(', ') || 'a disk of unknown kind'
}

async function kindOf(name: string): Promise<string> {
  if (name.startsWith('nvme')) return 'NVMe disk'
  if (/^x?vd/.test(name)) return 'virtual disk'
  const spins = await readFile(`/sys/block/${name}/queue/rotational`, 'utf8').catch(() => '')
  return spins.trim() === '1' ? 'spinning disk' : 'solid-state disk'
}
