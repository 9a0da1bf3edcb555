/** Where the time went: the functions of a CPU profile by self time, ours first. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

type ProfileNode = {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
}
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] }

/** Summarises the profiles in `folder` written after `since`. */
export async function hotSpots(folder: string, since: number, most = 25): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'))
  const texts: string[] = []
  for (const name of files) {
    if (Number(/-(\d{13})\./.exec(name)?.[1] ?? Number.POSITIVE_INFINITY) < since) continue
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as Profile
    texts.push(`${name}\n${linesOf(profile, most).join('\n')}`)
  }
  return texts.join('\n\n')
}

function linesOf({ nodes, samples, timeDeltas }: Profile, most: number): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const functions = new Map<string, number>()
  const parts = new Map<string, number>()
  let busy = 0
  for (const [at, id] of samples.entries()) {
    const node = byId.get(id)
    const took = timeDeltas[at] ?? 0
    if (!node || ['(idle)', '(program)', '(root)'].includes(node.callFrame.functionName)) continue
    busy += took
    const place = placeOf(node)
    functions.set(place, (functions.get(place) ?? 0) + took)
    const part = partOf(node.callFrame.url)
    parts.set(part, (parts.get(part) ?? 0) + took)
  }
  const lines = (of: Map<string, number>): string[] =>
    [...of]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([place, took]) => `${((took / busy) * 100).toFixed(1).padStart(5)} %  ${place}`)
  return [
    `busy for ${(busy / 1_000_000).toFixed(1)} s; by part:`,
    ...lines(parts).slice(0, 12),
    'by function:',
    ...lines(functions),
  ]
}

const shortened = (url: string): string =>
  url.replace(/^file:\/\//, '').replace(/^.*\/(node_modules|packages)\//, '$1/')

function placeOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = shortened(url)
  return `${functionName || '(anonymous)'} ${file}${file ? `:${lineNumber + 1}` : ''}`
}

/** A package, a folder of ours, or Node itself. */
function partOf(url: string): string {
  const file = shortened(url)
  if (file === '' || file.startsWith('node:')) return file === '' ? 'native code' : 'node'
  const steps = file.split('/')
  return steps.slice(0, steps[0] === 'packages' ? 4 : steps[1]?.startsWith('@') ? 3 : 2).join('/')
}
