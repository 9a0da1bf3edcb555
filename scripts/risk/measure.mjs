/**
 * Prints the held-out figures of docs/quality.md, after each part for those before:
 * `node scripts/risk/measure.mjs --data FOLDER [--parts 1] [--seed part]`.
 */
import { parseArgs } from 'node:util'
import { crossValidate } from './cross-validate.mjs'
import { readRows, withTokens } from './judged-rows.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    seed: { type: 'string', default: 'part' },
    parts: { type: 'string', default: '5' },
  },
})
if (!values.data) throw new Error('Name the folder of the judged translations: --data FOLDER')
const names = {
  shipped: 'The model that ships',
  log: 'With the log-probability of the engine',
  before: 'Shipped by fewer rows, without verdicts',
  learned: 'The same with verdicts of a site',
}

crossValidate(withTokens(readRows(values.data)), {
  seed: values.seed,
  most: Number(values.parts),
  tell: (part, judged) => {
    console.log(`\n# After part ${part} of 5`)
    for (const [name, rows] of Object.entries(judged)) {
      console.log(`\n${names[name]}`)
      for (const { set, segments, area, found } of rows) {
        const count = String(segments).padStart(6)
        console.log(`${set.padEnd(10)} ${count}  ${area.toFixed(3)}  ${Math.round(100 * found)} %`)
      }
    }
  },
})
