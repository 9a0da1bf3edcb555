/**
 * Packages in the hands of real tools: Debian's OmegaT translates one of every format, and what
 * translate-toolkit breaks is refused.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandsOf } from './doc-commands.ts'
import { python } from './formats/judge.ts'
import { docxOf, pptxOf, xlsxOf } from './formats/office-samples.ts'
import { pack } from './formats/pack.ts'
import { startHub, type TestHub } from './hub.ts'
import { type Entries, packagesOf, packed, unpack } from './packages-kit.ts'
import { runCommandLine } from './run-command.ts'

const run = promisify(execFile)
const samples = join(import.meta.dirname, 'samples')

const letter = docxOf('<w:p><w:r><w:t>Dear reader, welcome.</w:t></w:r></w:p>')
/** Formats that are archives. */
const archives = [
  { name: 'letter.docx', file: letter },
  { name: 'table.xlsx', file: xlsxOf('<si><t>Total amount</t></si>') },
  { name: 'talk.pptx', file: pptxOf('<a:p><a:r><a:t>First slide</a:t></a:r></a:p>') },
  {
    name: 'both.zip',
    file: pack([
      { name: 'letter.docx', content: letter },
      { name: 'a.txt', content: 'One more text' },
    ]),
  },
]

describe('packages in the hands of real tools', () => {
  let hub: TestHub
  let kit: ReturnType<typeof packagesOf>
  let folder = ''
  beforeAll(async () => {
    hub = await startHub({ database: 'sqlite' })
    kit = packagesOf(hub)
    folder = mkdtempSync(join(tmpdir(), 'package-tools-'))
  })
  afterAll(async () => {
    await hub.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const lay = (entries: Entries, name: string): string => {
    const place = join(folder, name)
    for (const [path, content] of entries) {
      mkdirSync(dirname(join(place, path)), { recursive: true })
      if (path.endsWith('/')) mkdirSync(join(place, path), { recursive: true })
      else writeFileSync(join(place, path), content)
    }
    return place
  }
  const omegat = (mode: string, project: string, ...more: readonly string[]) => {
    const home = join(folder, 'home')
    mkdirSync(home, { recursive: true })
    const args = [`--mode=${mode}`, project, `--config-dir=${join(home, 'config')}`, ...more]
    return run('omegat', args, { env: { PATH: process.env.PATH, HOME: home } })
  }

  it('OmegaT opens a package with a file of every format as it comes, and its translation is delivered', async (test) => {
    test.skip(!existsSync('/usr/bin/omegat'), 'there is no OmegaT on this machine')
    const names = readdirSync(samples).filter((name) => name !== 'fields.xml')
    const sources = [
      ...names.map((name) => ({ name, file: readFileSync(join(samples, name)) })),
      ...archives,
    ]
    const { jobId, path, ids } = await kit.sent([
      ...sources,
      { fields: { title: 'Save {count} files', text: 'Two\nlines' } },
    ])
    const all = commandsOf('docs/providers.md').flatMap(({ mark, text }) =>
      mark === 'omegat' ? [text] : [],
    )
    const isBack = (text: string) => text.includes('work deliver')
    const type = async (text: string) => {
      const args = text.replace('JOB', jobId).split(' ').slice(1)
      const { code, out, err } = await runCommandLine(
        args,
        { HUB_URL: hub.url, HOME: folder },
        folder,
      )
      expect([text, code, err]).toEqual([text, 0, ''])
      return out
    }
    for (const text of all.filter((one) => !isBack(one))) await type(text)
    const out = unpack(readFileSync(join(folder, 'package.zip')))
    const { assetTasks, leftOut } = JSON.parse(String(out.get('manifest.json')))
    expect(leftOut).toEqual([])
    expect(assetTasks).toHaveLength(ids.length)
    const project = lay(out, 'project')
    const pseudo = join(folder, 'pseudo.tmx')
    await omegat(
      ...(['console-createpseudotranslatetmx', project] as const),
      ...[`--pseudotranslatetmx=${pseudo}`, '--pseudotranslatetype=equal'],
    )
    // The words of every target change, and nothing else: tags, placeholders and numbers stay.
    const translated = readFileSync(pseudo, 'utf8').replace(
      /(<tuv lang="de-de">\s*<seg>)([\s\S]*?)(<\/seg>)/gi,
      (_, open: string, text: string, close: string) => open + pseudoWords(text) + close,
    )
    expect(translated).toContain('ä')
    writeFileSync(join(project, 'omegat', 'project_save.tmx'), translated)
    await omegat('console-translate', project)
    const back: Entries = new Map(
      readdirSync(join(project, 'target')).map((name) => [
        `target/${name}`,
        readFileSync(join(project, 'target', name)),
      ]),
    )
    expect(existsSync(join(project, 'target', 'manifest.json'))).toBe(true)
    writeFileSync(join(folder, 'translated.zip'), packed(back))
    let said = ''
    for (const text of all.filter(isBack)) said = await type(text)
    expect(said).toBe(`${ids.length} asset tasks delivered, 0 unchanged.\n`)
    for (const [at, { name }] of sources.entries()) {
      const { body: task } = await kit.call(
        'demo-provider',
        'GET',
        `${path.replace('/package', '')}/assetTasks/${ids[at]}`,
      )
      expect([name, task.statusCode]).toEqual([name, 'TRANSLATION_SUBMITTED'])
    }
    const again = await kit.deliver(path, packed(back))
    expect([again.body.delivered, [again.body.unchanged].flat().sort()]).toEqual([
      [],
      [...ids].sort(),
    ])
  })

  it('what translate-toolkit writes into inline tags is refused, and the place is named', async (test) => {
    test.skip(
      !existsSync('/usr/lib/python3/dist-packages/translate'),
      'there is no translate-toolkit on this machine',
    )
    const page = '<p>Pay <b>now</b> and save <img src="a.png"> today.</p>\n<p>A second text.</p>\n'
    const { path, ids } = await kit.sent([{ name: 'pay.html', file: page }])
    const out = await kit.download(path)
    const project = lay(out, 'toolkit')
    const script = [
      'import sys',
      'from translate.storage import xliff',
      'store = xliff.xlifffile.parsefile(sys.argv[1])',
      'for unit in store.units:',
      '    unit.target = sys.argv[2] if "second" not in str(unit.source) else "Ein zweiter Text."',
      'store.save()',
    ]
    const file = 'de-de/pay.html.xlf'
    const words = 'Bezahlen Sie bitte sofort und sparen Sie heute.'
    await run(python, ['-c', script.join('\n'), join(project, file), words])
    const back = new Map([...out.keys()].map((name) => [name, readFileSync(join(project, name))]))
    expect(String(back.get(file))).toContain(words)
    const { status, body } = await kit.deliver(path, packed(back))
    const segmentId = /trans-unit[^>]* id="([^"]+)"/.exec(String(back.get(file)))?.[1]
    expect([status, body.code, body.problems]).toEqual([
      422,
      'PACKAGE_INVALID',
      [{ file, segmentId, problem: expect.stringMatching(/leftover|tags\./) }],
    ])
    expect(ids).toHaveLength(1)
  })
})

/**
 * Vowels of words get dots; what OmegaT shows of tags, entities, placeholders and addresses stays.
 */
const pseudoWords = (text: string): string =>
  text
    .split(/(&lt;[\s\S]*?&gt;|&\w+;|\{[^}]*\}|%[\w$.@()-]+|https?:\S+|\S+@\S+|\$\w+|:\w+)/)
    .map((piece, at) =>
      at % 2 === 1 ? piece : piece.replace(/[aeiou]/g, (vowel) => `${vowel}\u0308`.normalize()),
    )
    .join('')
