/**
 * Checks spelling and style of what people read: the pages, the English words of the console, the
 * messages of the contract. cspell.json has the settings of the spelling, cspell-words.txt the
 * words that no dictionary has, prose-rules.mjs the phrases with better words.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { proseRules } from './prose-rules.mjs'

const filesIn = (folder, fits) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => fits.test(path) && !/node_modules|\.test\.ts$/.test(path))
const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'deploy', 'examples'].flatMap((folder) => filesIn(folder, /\.md$/)),
  ...filesIn('packages', /^packages.[^/\\]+.README\.md$/),
  ...filesIn('connectors', /^connectors.[^/\\]+.README\.md$/),
  ...filesIn('packages/console/src/words/en', /\.json$/),
  ...filesIn('packages/contract/src', /\.ts$/),
  ...filesIn('packages/docs/src/reference', /\.ts$/),
]

const cspell = join(root, 'node_modules/cspell/bin.mjs')
const options = ['--no-progress', '--no-summary', '--no-color', '--file-list', 'stdin']
const { status } = spawnSync(process.execPath, [cspell, 'lint', ...options], {
  cwd: root,
  input: files.join('\n'),
  stdio: ['pipe', 'inherit', 'inherit'],
})
if (status !== 0)
  console.log('Correct the words above, or add them to cspell-words.txt if they are right.')

const found = files.flatMap((path) => wrongIn(path, readFileSync(join(root, path), 'utf8')))
for (const line of found) console.log(line)
if (status === 0 && found.length === 0) console.log(`${files.length} files are well written.`)
process.exitCode = status !== 0 || found.length > 0 ? 1 : 0

/** Code, addresses and the keys of JSON are blanked, so that lines keep their numbers. */
function wrongIn(path, text) {
  const blank = (part) => part.replace(/[^\n]/g, ' ')
  const code = path.endsWith('.md')
    ? /^ *```[\s\S]*?^ *```|`[^`\n]+`|\]\([^)\n]*\)/gm
    : /^ *"[^"\n]+":/gm
  return text
    .replace(code, blank)
    .split('\n')
    .flatMap((line, at) =>
      proseRules.flatMap(([pattern, better]) => {
        const [phrase] = pattern.exec(line) ?? []
        return phrase === undefined ? [] : [`${path}:${at + 1} - "${phrase.trim()}": ${better}`]
      }),
    )
}
