/**
 * Programs that are not ours judge many files at once: each gives the paths where the translated
 * file has another shape than its source.
 */
import { spawnSync } from 'node:child_process'
import { parse } from 'dot-properties'
import { textOf } from './cases.ts'
import { ask, python } from './judge.ts'
import { textOf as decoded } from './laws.ts'

export type WrittenFile = {
  readonly path: string
  readonly source: Uint8Array
  readonly written: Uint8Array
}
export type Judge = (pairs: readonly WrittenFile[]) => string[]

const fails = (pairs: readonly WrittenFile[], isBad: (pair: WrittenFile) => boolean): string[] =>
  pairs.filter(isBad).map(({ path }) => path)

/** One program for all files. A source that it cannot read is not judged. */
const inPython =
  (read: string): Judge =>
  (pairs) => {
    const files = pairs.map(({ path, source, written }) => [
      path,
      ...[source, written].map((one) => Buffer.from(one).toString('base64')),
    ])
    return JSON.parse(ask(python, ['-c', sameShape(read)], JSON.stringify(files)))
  }
const sameShape = (read: string): string => `
import sys, json, base64, io, csv, plistlib
from html.parser import HTMLParser
import xml.etree.ElementTree as tree
try: import yaml
except ImportError: yaml = None
try: import srt
except ImportError: srt = None
csv.field_size_limit(2 ** 30)
def shape(v):
    if isinstance(v, dict): return ['map'] + [[str(k), shape(w)] for k, w in v.items() if k not in ('zero', 'two', 'few', 'many')]
    if isinstance(v, (list, tuple)): return ['list'] + [shape(w) for w in v]
    return type(v).__name__
def tags(raw):
    found = []
    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs): found.append([tag] + [name for name, _ in attrs])
        def handle_endtag(self, tag): found.append('/' + tag)
    reader = Reader()
    reader.feed(raw.decode('latin-1'))
    reader.close()
    return found
def read(raw):
    return ${read}
bad = []
for path, one, other in json.load(sys.stdin):
    try: want = read(base64.b64decode(one))
    except Exception: continue
    try: got = read(base64.b64decode(other))
    except Exception as e: got = repr(e)
    if want != got: bad.append(path)
json.dump(bad, sys.stdout)
`

const isJson = (bytes: Uint8Array): boolean => {
  try {
    return JSON.parse(textOf(bytes)) !== undefined
  } catch {
    return false
  }
}
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const keysOf = (bytes: Uint8Array): string => String(Object.keys(parse(latin1(bytes))))
const takes = (program: string, args: readonly string[], input: Uint8Array): boolean =>
  spawnSync(program, args, { input, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
const taken =
  (program: string, args: readonly string[], asGiven = (bytes: Uint8Array) => bytes): Judge =>
  (pairs) =>
    fails(
      pairs,
      ({ source, written }) =>
        takes(program, args, asGiven(source)) && !takes(program, args, asGiven(written)),
    )
/** Gettext takes a strings file for ASCII unless a mark and a header say what it is. */
const header = `\ufeff"" = "Content-Type: text/plain; charset=UTF-8\\n";\n`
const marked = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(header + decoded(bytes).replace(/^\ufeff/, ''))

export const judges = {
  msgfmt: taken('msgfmt', ['-c', '-o', '/dev/null', '-']),
  msgcat: taken('msgcat', ['--stringtable-input', '-t', 'UTF-8', '-o', '/dev/null', '-'], marked),
  php: taken('php', ['-l']),
  properties: (pairs) => fails(pairs, ({ source, written }) => keysOf(source) !== keysOf(written)),
  json: (pairs) => fails(pairs, ({ source, written }) => isJson(source) && !isJson(written)),
  yaml: inPython('[shape(d) for d in yaml.safe_load_all(raw)]'),
  csv: inPython('[len(r) for r in csv.reader(io.StringIO(raw.decode(), newline=""))]'),
  elements: inPython('[e.tag for e in tree.fromstring(raw).iter()]'),
  /** Where plural forms or targets are added. */
  root: inPython('tree.fromstring(raw).tag'),
  plist: inPython('shape(plistlib.loads(raw))'),
  html: inPython('tags(raw)'),
  srt: inPython(
    '[[str(c.start), str(c.end), c.content != ""] for c in srt.parse(raw.decode("utf-8-sig"))]',
  ),
} satisfies Record<string, Judge>
