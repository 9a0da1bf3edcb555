/**
 * Files split and joined by the hub against translate-toolkit that parses and writes them: nothing
 * is changed on either side.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runModule } from '../built.ts'
import type { Bench, Figure, FigureRow } from '../figure.ts'
import { inTurn, median, ratioOf, type Side } from '../pairs.ts'
import { sentenceFile } from '../sentence-files.ts'

const splitting = new URL('../children/split-join.js', import.meta.url)
/** Debian's package; it belongs to Debian's Python. */
const python = '/usr/bin/python3'

/** The formats that both know, with the class of translate-toolkit. */
const classes = {
  po: 'pypo.pofile',
  properties: 'properties.javautf8file',
  'apple-strings': 'properties.stringsutf8file',
  csv: 'csvl10n.csvfile',
  json: 'jsonl10n.JsonFile',
  android: 'aresource.AndroidResourceFile',
  resx: 'resx.RESXFile',
  xliff: 'xliff.xlifffile',
  linguist: 'ts2.tsfile',
  html: 'html.htmlfile',
  'plain-text': 'txt.TxtFile',
  yaml: 'yaml.YAMLFile',
  srt: 'subtitles.SubRipFile',
  php: 'php.phpfile',
}

/** Prints megabytes per second; loading Python does not count. */
const script = `
import importlib, sys, time
module, name = sys.argv[1].split('.')
kind = getattr(importlib.import_module('translate.storage.' + module), name)
content = open(sys.argv[2], 'rb').read()
begun, done = time.perf_counter(), 0
while True:
    store = kind.parsestring(content)
    if len(store.units) < 2: sys.exit('it found no units')
    done += len(content)
    written = bytes(store)
    taken = time.perf_counter() - begun
    if taken * 1000 > float(sys.argv[3]): break
print(done / 1e6 / taken)
`

export const toolkit: Figure = {
  name: 'toolkit',
  says: 'files of sentences split and joined, against translate-toolkit',
  run: async (bench) => {
    const rows: FigureRow[] = []
    for (const [format, kind] of Object.entries(classes))
      rows.push(...(await compare(bench, format, kind)))
    return rows
  },
}

async function compare(bench: Bench, format: string, kind: string): Promise<FigureRow[]> {
  const file = sentenceFile(format, bench.options.quick ? 20_000 : 1_500_000)
  if (!file) throw new Error(`There is no file of sentences for ${format}.`)
  const path = join(await bench.folder(), file.fileName)
  await writeFile(path, file.bytes)
  const theirs: Side = async (milliseconds) => {
    const { stdout } = await promisify(execFile)(python, [
      '-c',
      script,
      kind,
      path,
      String(milliseconds),
    ])
    return Number(stdout)
  }
  const { runSafely } = await runModule()
  const ours: Side = async (milliseconds) => {
    const begun = performance.now()
    let done = 0
    do {
      await runSafely(splitting, 'splitJoin', [file.fileName, file.bytes], { siteId: 'bench' })
      done += file.bytes.length
    } while (performance.now() - begun < milliseconds)
    return done / 1_000 / (performance.now() - begun)
  }
  try {
    await theirs(1)
  } catch (error) {
    bench.say(
      `${format} is left out: translate-toolkit says ${String(error).trim().split('\n').at(-1)}`,
    )
    return []
  }
  const taken = await inTurn(bench, { ours, theirs }, 1_000)
  return [
    {
      figure: `Format ${format}: 1.5 MB of sentences split and joined, against translate-toolkit`,
      ours: `${median(taken.ours).toFixed(1)} MB/s`,
      anchor: `${median(taken.theirs).toFixed(1)} MB/s`,
      measured: ratioOf(taken.ours, taken.theirs),
      unit: 'x',
      target: { atLeast: 1 },
    },
  ]
}
