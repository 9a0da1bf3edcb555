/**
 * Files of the repository that guides link to and readers copy, such as those of deploy/: a page
 * with the text of each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, posix } from 'node:path'
import { highlight } from './highlight.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'

const root = new URL('../../../', import.meta.url)
const folders = ['deploy', 'examples/agency', 'examples/ci', 'examples/webhooks']
/** Pages of their own, and what nobody reads. */
const leftOut = ['README.md', 'sbom.json']

const languages: Readonly<Record<string, string>> = {
  '.cs': 'csharp',
  '.java': 'java',
  '.json': 'json',
  '.mjs': 'js',
  '.php': 'php',
  '.py': 'python',
  '.sh': 'sh',
  '.ts': 'ts',
  '.yaml': 'yaml',
  '.yml': 'yaml',
}

/** Their paths in the repository. */
export const shownFiles: readonly string[] = folders.flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !leftOut.includes(one.name))
    .map((one) => posix.join(one.parentPath.replaceAll('\\', '/'), one.name))
    .map((path) => path.slice(path.lastIndexOf(`/${folder}/`) + 1))
    .sort(),
)

const pathOfFile = (file: string): string => `/docs/files/${file}`

/** The path of its page; the file is given from docs/ on. Undefined if it has none. */
export function findShown(file: string): string | undefined {
  const path = file.startsWith('../') ? file.slice('../'.length) : `docs/${file}`
  return shownFiles.includes(path) ? pathOfFile(path) : undefined
}

export function filePage(file: string): Page {
  const text = readFileSync(new URL(file, root), 'utf8').trimEnd()
  const code = highlight(text, languages[extname(file)] ?? 'ini')
  return {
    title: basename(file),
    path: pathOfFile(file),
    main: html`<article class="guide"><h1>${basename(file)}</h1>
<p>In the repository: <code>${file}</code></p>
<div class="code" data-copy><pre tabindex="0"><code>${code}</code></pre></div></article>`,
  }
}
