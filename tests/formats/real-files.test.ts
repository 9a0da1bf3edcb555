/** Files that people wrote for other programs: unchanged they come back byte for byte, translated they are sound for who reads them. */
import { spawnSync } from 'node:child_process'
import { type FormatId, formatRows } from '@dragoman/contract/wire'
import { parse } from 'dot-properties'
import { expect, test } from 'vitest'
import { findFormat, formats } from '../../packages/server/src/domain/formats/find-format.ts'
import { FormatError } from '../../packages/server/src/domain/formats/format-error.ts'
import { pseudoText } from '../../packages/server/src/domain/providers/drivers/pseudo-text.ts'
import { textOf } from './cases.ts'
import { ask, isThere } from './judge.ts'
import { differInOffice } from './office-judge.ts'
import { sameTree } from './pandoc-tree.ts'
import { asked, isWhole, type RealFile, realFiles } from './real-files.ts'

type Pair = { readonly path: string; readonly source: Uint8Array; readonly written: Uint8Array }
type Judge = (pairs: readonly Pair[]) => string[]

/** One program for all files: names of those where it finds another shape than in the source, if it can read that. */
const inPython =
  (program: string): Judge =>
  (pairs) => {
    const files = pairs.map(({ path, source, written }) => [
      path,
      ...[source, written].map((one) => Buffer.from(one).toString('base64')),
    ])
    return JSON.parse(ask('python3', ['-c', program], JSON.stringify(files)))
  }
const sameShape = (read: string) => `
import sys, json, base64, io, csv, warnings
try: import yaml
except ImportError: yaml = None
def shape(v):
    if isinstance(v, dict): return ['map'] + [[str(k), shape(w)] for k, w in v.items()]
    if isinstance(v, (list, tuple)): return ['list'] + [shape(w) for w in v]
    return type(v).__name__
def read(raw):
    ${read}
bad = []
for path, one, other in json.load(sys.stdin):
    try: want = read(base64.b64decode(one))
    except Exception: continue
    try: got = read(base64.b64decode(other))
    except Exception as e: got = repr(e)
    if want != got: bad.append(path)
json.dump(bad, sys.stdout)
`
const sameXml = sameShape('import xml.etree.ElementTree as tree; return [e.tag for e in tree.fromstring(raw).iter()]')
const isJson = (bytes: Uint8Array): boolean => {
  try {
    return JSON.parse(textOf(bytes)) !== undefined
  } catch {
    return false
  }
}
const fails = (pairs: readonly Pair[], isBad: (pair: Pair) => boolean): string[] =>
  pairs.filter(isBad).map(({ path }) => path)
const msgfmt = (bytes: Uint8Array): boolean =>
  spawnSync('msgfmt', ['-c', '-o', '/dev/null', '-'], { input: bytes, stdio: ['pipe', 'ignore', 'ignore'] }).status ===
  0
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Programs that take a while are shown the first few; `REAL_FILES=1000` shows them all. */
const first = (pairs: readonly Pair[], few: number): readonly Pair[] => (isWhole ? pairs : pairs.slice(0, few))

type Row = {
  readonly id: FormatId
  readonly most?: number
  readonly judge?: Judge | undefined
  readonly target?: string
}
const rows: readonly Row[] = [
  {
    id: 'po',
    target: 'pl',
    judge: isThere('msgfmt')
      ? (pairs) => fails(first(pairs, 50), ({ source, written }) => msgfmt(source) && !msgfmt(written))
      : undefined,
  },
  {
    id: 'properties',
    judge: (pairs) =>
      fails(
        pairs,
        ({ source, written }) =>
          String(Object.keys(parse(latin1(source)))) !== String(Object.keys(parse(latin1(written)))),
      ),
  },
  { id: 'apple-strings' },
  {
    id: 'yaml',
    judge: isThere('python3', '-c', 'import yaml')
      ? inPython(sameShape('return [shape(d) for d in yaml.safe_load_all(raw)]'))
      : undefined,
  },
  {
    id: 'csv',
    judge: isThere('python3')
      ? inPython(sameShape('return [len(r) for r in csv.reader(io.StringIO(raw.decode(), newline=""))]'))
      : undefined,
  },
  {
    id: 'markdown',
    judge: isThere('pandoc')
      ? (pairs) => fails(first(pairs, 10), ({ source, written }) => !sameTree(textOf(source), textOf(written)))
      : undefined,
  },
  { id: 'xml', judge: isThere('python3') ? inPython(sameXml) : undefined },
  {
    id: 'json',
    judge: (pairs) => fails(pairs, ({ source, written }) => isJson(source) && !isJson(written)),
  },
  // As many as there are.
  ...(
    ['android', 'resx', 'stringsdict', 'apple-plist', 'xliff-1.2', 'xliff-2', 'qt-ts', 'xcstrings', 'arb'] as const
  ).map((id): Row => ({ id, most: 2_000 })),
  ...(['docx', 'xlsx', 'pptx'] as const).map(
    (id): Row => ({ id, most: 2_000, judge: isThere('soffice') ? (pairs) => differInOffice(id, pairs) : undefined }),
  ),
  { id: 'srt' },
  { id: 'vtt' },
]

/** Unchanged and translated; a file that its format refuses, with a sentence, gives none. */
function goRound(id: FormatId, { path, bytes }: RealFile, targetLanguage: string): Pair | undefined {
  const format = formats.find((one) => one.id === id)
  try {
    const opened = format?.open(bytes)
    if (!opened) return undefined
    const { segments, write } = opened
    expect(write(new Map(), { targetLanguage })).toBe(bytes)
    const isBilingual = segments.some(({ target }) => target)
    // A translation that stands beside its source is written, whatever it says.
    if (!isBilingual && id !== 'po' && id !== 'xcstrings' && id !== 'qt-ts')
      expect(write(new Map(segments.map((one) => [one.id, one.parts])), { targetLanguage })).toBe(bytes)
    const written = write(new Map(segments.map((one) => [one.id, pseudoText(one.parts)])), { targetLanguage })
    expect([path, format?.read(written).map((one) => one.id)]).toEqual([path, segments.map((one) => one.id)])
    return { path, source: bytes, written }
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

test.each(rows)('$id', { timeout: isWhole ? 3_600_000 : 120_000 }, ({ id, judge, most = asked, target = 'de-DE' }) => {
  const files = realFiles(formatRows[id].extensions, most, ({ path, bytes }) => findFormat(path, bytes)?.id === id)
  const pairs = files.flatMap((file) => goRound(id, file, target) ?? [])
  process.stdout.write(`${id}: ${files.length} real files, ${files.length - pairs.length} refused\n`)
  // The gate installs packages that bring so many.
  if (process.env.CI === 'true' && /^(?:po|properties|yaml|markdown|xml|json|xliff-1\.2)$/.test(id))
    expect(files.length).toBeGreaterThanOrEqual(asked)
  expect(judge?.(pairs) ?? []).toEqual([])
  expect(files.length - pairs.length).toBeLessThanOrEqual(files.length / 10)
})
