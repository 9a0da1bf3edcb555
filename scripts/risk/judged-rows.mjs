/**
 * Reads the judged translations: tab-separated files with the header `set pair source target label
 * score logprob system edited`, gzipped. Sets whose name begins with `flores` are never read: their
 * licence does not fit a product.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { gramKeys, pairKey, tokensIn } from '../../packages/text/dist/risk.js'

export function readRows(folder) {
  return readdirSync(folder)
    .filter((name) => /^(?:ted|da)-.*\.tsv\.gz$/.test(name))
    .sort()
    .flatMap((name) => {
      const lines = gunzipSync(readFileSync(join(folder, name)))
        .toString('utf8')
        .split('\n')
      return lines.slice(1).filter(Boolean).map(readRow)
    })
}

function readRow(line) {
  const [set, pair, source, target, label, , logProbability, , edited] = line.split('\t')
  const known = logProbability === '' ? undefined : Number(logProbability)
  return { set, pair, source, target, label: Number(label), logProbability: known, edited }
}

/** The part of a source: all translations of it are in the same. */
export function partOf(source, parts, seed) {
  const text = source.normalize('NFC').replace(/\s+/g, ' ').trim()
  return createHash('sha256').update(`${seed}\n${text}`).digest().readUInt32BE(4) % parts
}

const stems = (tokens) => tokens.filter(({ kind }) => kind !== 'MARK').map(({ stem }) => stem)

/** What is counted of a text. */
function* keysOf(tokens) {
  let before = 0
  for (const token of tokens) {
    yield pairKey(before, token.hash)
    before = token.hash
    if (token.kind !== 'WORD') continue
    yield token.hash
    yield* gramKeys(token)
  }
}

/** Tokens are found once: every table is made many times. */
export function withTokens(rows) {
  const known = new Map()
  const read = (text) => {
    let found = known.get(text)
    if (!found) {
      const tokens = tokensIn(text)
      found = { keys: Uint32Array.from(keysOf(tokens)), stems: Uint32Array.from(stems(tokens)) }
      known.set(text, found)
    }
    return found
  }
  return rows.map((row) => {
    const right = new Set([...(row.label === 0 ? [row.target] : []), row.edited].filter(Boolean))
    return { ...row, from: read(row.source), right: [...right].map(read) }
  })
}
