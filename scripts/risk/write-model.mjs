/**
 * Fits the model that ships on all rows and writes it: `node scripts/risk/write-model.mjs --data
 * FOLDER`. The same data gives the same file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { riskModelVersion, writeKeys } from '../../packages/text/dist/risk.js'
import { root } from '../prepare.mjs'
import { fitModels, measureAll } from './fit.mjs'
import { readRows, withTokens } from './judged-rows.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('Name the folder of the judged translations: --data FOLDER')
const rows = withTokens(readRows(values.data))
const tables = measureAll(rows)
const [plain, log] = [fitModels(rows, false), fitModels(rows, true)]
const blobs = []
const add = (bytes) => blobs.push(bytes)
const languages = Object.entries(tables.counts).map(([language, levels]) => {
  add(levels)
  return { language, bytes: levels.length }
})
const short = (numbers, digits = 5) => Array.from(numbers, (one) => Number(one.toPrecision(digits)))
const stored = ({ means, deviations, weights, trees, curvature }) => ({
  means: short(means),
  deviations: short(deviations),
  weights: short(weights),
  trees: {
    features: [...trees.features],
    thresholds: short(trees.thresholds),
    values: short(trees.values, 3),
  },
  curvature: short(curvature, 4),
})
const pairs = Object.keys(plain).map((pair) => {
  const { keys, values: levels } = tables.partners[pair]
  const written = writeKeys(keys)
  add(written)
  add(levels)
  return {
    ...{ pair, rows: plain[pair].rows, partners: keys.length, keyBytes: written.length },
    plain: stored(plain[pair]),
    ...(log[pair] && { log: stored(log[pair]) }),
  }
})
const header = Buffer.from(JSON.stringify({ version: riskModelVersion, languages, pairs }))
const length = Buffer.alloc(4)
length.writeUInt32BE(header.length)
const bytes = Buffer.concat([length, header, ...blobs])
const packed = brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
writeFileSync(join(root, 'packages/server/models/risk.br'), packed)
console.log(`${packed.length} bytes, ${bytes.length} unpacked`)
