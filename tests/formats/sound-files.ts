/**
 * Whether python reads a file as what it is: XML, JSON, YAML, a plist, an archive with sound parts,
 * a table.
 */
import { ask } from './judge.ts'

const program = `
import sys, json, base64, io, csv, zipfile, plistlib
import xml.etree.ElementTree as tree
try: import yaml
except ImportError: yaml = None
def zipped(raw):
    archive = zipfile.ZipFile(io.BytesIO(raw))
    bad = archive.testzip()
    if bad: raise ValueError(bad)
    for name in archive.namelist():
        if name.endswith(('.xml', '.rels')): tree.fromstring(archive.read(name))
        if name.endswith('.json'): json.loads(archive.read(name))
def lists(raw):
    rows = list(csv.reader(io.StringIO(raw.decode('utf-8-sig'), newline='')))
    if len({len(row) for row in rows}) > 1: raise ValueError('ragged rows')
read = {
    'xml': tree.fromstring,
    'json': lambda raw: json.loads(raw.decode('utf-8-sig')),
    'yaml': lambda raw: yaml and yaml.safe_load(raw),
    'plist': plistlib.loads,
    'zip': zipped,
    'csv': lists,
}
bad = []
for kind, name, raw in json.load(sys.stdin):
    try: read[kind](base64.b64decode(raw))
    except Exception as error: bad.append(name + ': ' + repr(error))
json.dump(bad, sys.stdout)
`

const kinds: Readonly<Record<string, readonly string[]>> = {
  xml: ['android', 'resx', 'xliff-1.2', 'xliff-2', 'qt-ts', 'key-value', 'xml'],
  json: ['json', 'arb', 'xcstrings'],
  yaml: ['yaml'],
  plist: ['stringsdict', 'apple-plist'],
  zip: ['docx', 'xlsx', 'pptx', 'zip'],
  csv: ['csv'],
}

export type Judged = { readonly id: string; readonly name: string; readonly bytes: Uint8Array }

/** A sentence for each file that is not sound. Formats that python does not know are left out. */
export function unsoundFiles(files: readonly Judged[]): string[] {
  const given = files.flatMap(({ id, name, bytes }) => {
    const kind = Object.keys(kinds).find((one) => kinds[one]?.includes(id))
    return kind === undefined ? [] : [[kind, name, Buffer.from(bytes).toString('base64')]]
  })
  return JSON.parse(ask('python3', ['-c', program], JSON.stringify(given)))
}
