/** Finds what can be translated in a project: walks its folders, and lets each rule claim the files it knows. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DetectedFiles, rules } from './content-rules.ts'

const skipped = new Set(
  'node_modules bower_components vendor dist build out target bin obj coverage tmp Pods DerivedData __pycache__ venv'.split(
    ' ',
  ),
)
/** Enough for any real project, and the search ends soon. */
const maxFiles = 50_000
const maxDepth = 10

export async function detectContent(root: string, source?: string): Promise<DetectedFiles[]> {
  return detectIn(await listFiles(root), source)
}

/** Pure: the paths of a project, with slashes. `source` is the language that the user named. */
export function detectIn(paths: readonly string[], source?: string): DetectedFiles[] {
  let left = [...paths].sort()
  const found: DetectedFiles[] = []
  for (const rule of rules)
    for (const one of rule(left, source)) {
      found.push(one)
      const claimed = new Set(one.paths)
      left = left.filter((path) => !claimed.has(path))
    }
  return found
}

async function listFiles(root: string): Promise<string[]> {
  const files: string[] = []
  const walk = async (folder: string, depth: number): Promise<void> => {
    if (depth > maxDepth) return
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      if (files.length >= maxFiles) return
      if (entry.name.startsWith('.')) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && !skipped.has(entry.name)) await walk(path, depth + 1)
    }
  }
  await walk('', 0)
  return files
}
