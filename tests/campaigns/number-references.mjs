/**
 * Translations by people never have an answer refused for its numbers: `node
 * tests/campaigns/number-references.mjs <folder>` reads every `*.tsv.gz` there (columns pair, source,
 * target, label, system, edited) in both directions, and prints how many texts are refused and how
 * many are marked. `--show` prints each of them. Build first.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compareNumbers, languageOf, linksIn } from '@dragoman/text/checks'

const [folder, option] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Usage: number-references.mjs <folder> [--show]')
  process.exit(2)
}

const total = { texts: 0, refused: 0, marked: 0 }
for (const name of readdirSync(folder).filter((file) => file.endsWith('.tsv.gz'))) {
  const counts = { texts: 0, refused: 0, marked: 0 }
  for (const { from, to, source, target } of referencesIn(join(folder, name))) {
    const changed = compareNumbers(
      linksIn(source).rest,
      linksIn(target).rest,
      languageOf(from),
      languageOf(to),
    )
    counts.texts += 1
    if (!changed) continue
    counts[changed.sure ? 'refused' : 'marked'] += 1
    if (option === '--show') console.log(`${changed.found.message}\n  ${source}\n  ${target}`)
  }
  console.log(`${name.padEnd(24)} ${lineOf(counts)}`)
  for (const key of Object.keys(total)) total[key] += counts[key]
}
console.log(`${'all'.padEnd(24)} ${lineOf(total)}`)
process.exitCode = total.refused > 0 ? 1 : 0

function lineOf({ texts, refused, marked }) {
  return `${texts} texts, ${refused} refused, ${marked} marked`
}

/** What a person wrote or corrected, and what readers found no fault in, in both directions. */
function referencesIn(path) {
  const [head = '', ...lines] = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
  const columns = head.split('\t')
  return lines.flatMap((line) => {
    const cells = line.split('\t')
    const row = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
    const [from = '', to = ''] = row.pair.split('-')
    const targets = [row.label === '0' ? row.target : '', row.edited].filter((text) => text !== '')
    return targets.flatMap((target) => [
      { from, to, source: row.source, target },
      { from: to, to: from, source: target, target: row.source },
    ])
  })
}
