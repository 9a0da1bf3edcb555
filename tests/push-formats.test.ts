/**
 * A folder with one file of each format goes to the hub and comes back by push and pull: with
 * Pseudo, and with a real engine.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FormatId, formatIds, formatRows } from '@dragoman/contract/wire'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { findFormat } from '../packages/text/src/formats/find-format.ts'
import type { Segment } from '../packages/text/src/formats/format.ts'
import type { Part } from '../packages/text/src/placeholders/part.ts'
import { hasApertium, startApertium } from './apertium.ts'
import { buildProgram } from './build-program.ts'
import { isThere } from './formats/judge.ts'
import { docxOf, pptxOf, xlsxOf } from './formats/office-samples.ts'
import { pack } from './formats/pack.ts'
import { unsoundFiles } from './formats/sound-files.ts'
import { startHub, type TestHub } from './hub.ts'
import { newProject, type Project } from './project.ts'

const samples = join(import.meta.dirname, 'samples')

const run = (text: string, look = '') => `<w:r>${look}<w:t xml:space="preserve">${text}</w:t></w:r>`
const bold = '<w:rPr><w:b/></w:rPr>'
const archives: Readonly<Record<string, Uint8Array>> = {
  'offer.docx': docxOf(
    `<w:p>${run('The ')}${run('big', bold)}${run(' house of {name} is red &amp; new.')}</w:p>`,
  ),
  'prices.xlsx': xlsxOf(
    '<si><t>The price of the chair</t></si><si><t>Dear {name}, thank you.</t></si>',
  ),
  'plan.pptx': pptxOf('<a:p><a:r><a:t>Our plan for the year</a:t></a:r></a:p>'),
  'all.zip': pack([
    { name: 'notes/one.txt', content: 'The garden is green.\n' },
    { name: 'two.json', content: '{"a": "Good morning, {name}"}' },
    { name: 'logo.png', content: 'PNG' },
  ]),
}
const files: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(
    readdirSync(samples).map((name) => [name, new Uint8Array(readFileSync(join(samples, name)))]),
  ),
  ...archives,
}
const formatOf = (name: string, bytes: Uint8Array) => {
  const format = findFormat(name, bytes)
  if (!format) throw new Error(`no format for ${name}`)
  return format
}

let hub: TestHub
const projects: Project[] = []
beforeAll(async () => {
  await buildProgram()
  hub = await startHub()
})
afterAll(async () => {
  for (const project of projects) project.remove()
  await hub.close()
})

/** Every file as it came back. `PUSHED_TO=/folder` keeps them, to be looked at. */
async function thereAndBack(provider: string, target: string): Promise<Map<string, Uint8Array>> {
  const yml = `source: en-US\ntargets: [${target}]\nprovider: ${provider}\nfiles: [content]\noutput: 'translated/{path}'\n`
  const content = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [`content/${name}`, bytes]),
  )
  const project = newProject(hub.url, { 'dragoman.yml': yml, ...content })
  projects.push(project)
  expect(await project.run(['push'])).toMatchObject({ code: 0, err: '' })
  expect(await project.run(['pull', '--wait'])).toMatchObject({ code: 0 })
  const back = new Map<string, Uint8Array>()
  for (const path of project.files('translated')) {
    const bytes = new Uint8Array(readFileSync(join(project.folder, path)))
    back.set(path.replace('translated/content/', ''), bytes)
    const { PUSHED_TO: folder } = process.env
    const kept = folder && join(folder, provider, path)
    if (!kept) continue
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, bytes)
  }
  return back
}

const wordsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.type === 'text' ? (part.text.match(/\p{L}{4,}/gu) ?? []) : []))
const codesOf = (parts: readonly Part[]): string[] =>
  parts
    .flatMap((part) => (part.type === 'code' && part.kind !== 'newline' ? [part.raw] : []))
    .sort()

type Compared = { readonly name: string; readonly source: Segment; readonly said: readonly Part[] }

/** Each segment of the sources beside what came back for it. */
function compare(back: ReadonlyMap<string, Uint8Array>, targetLanguage: string): Compared[] {
  return [...back].flatMap(([name, bytes]) => {
    const before = files[name] ?? new Uint8Array()
    const { read, id } = formatOf(name, before)
    const options = { targetLanguage }
    const after = new Map(
      formatOf(name, bytes)
        .read(bytes, options)
        .map((one) => [one.id, one]),
    )
    const isBilingual = ['po', 'qt-ts', 'xcstrings', 'xliff-1.2', 'xliff-2'].includes(id)
    return read(before, options)
      .filter(({ held }) => !held)
      .map((source) => {
        const one = after.get(source.id)
        expect([name, source.id, one?.id]).toEqual([name, source.id, source.id])
        return { name, source, said: (isBilingual ? one?.target : one?.parts) ?? [] }
      })
  })
}

function mustBeSound(back: ReadonlyMap<string, Uint8Array>): void {
  expect([...back.keys()].sort()).toEqual(Object.keys(files).sort())
  const given = [...back].map(([name, bytes]) => ({
    id: formatOf(name, files[name] ?? bytes).id,
    name,
    bytes,
  }))
  expect(unsoundFiles(given)).toEqual([])
  const po = back.get('shop.po')
  expect(spawnSync('msgfmt', ['-c', '-o', '/dev/null', '-'], { input: po }).status).toBe(0)
  for (const [name, bytes] of back)
    if (!archives[name]) expect([name, bytes]).not.toEqual([name, files[name]])
}

const losses = (compared: readonly Compared[]): string[] =>
  compared
    .filter(({ source, said }) => String(codesOf(source.parts)) !== String(codesOf(said)))
    .map(
      ({ name, source, said }) =>
        `${name} ${source.id}: ${codesOf(source.parts)} became ${codesOf(said)}`,
    )

test('the folder has a file of each format that is translated', () => {
  const found = Object.entries(files).map(([name, bytes]) => formatOf(name, bytes).id)
  const wanted = formatIds.filter((id: FormatId) => !('advice' in formatRows[id]))
  expect([...new Set(found)].sort()).toEqual([...wanted].sort())
})

it('comes back from Pseudo: sound, without a word of the source, with every placeholder', async ({
  skip,
}) => {
  for (const program of ['python3', 'msgfmt'])
    skip(!isThere(program), `${program} is not installed`)
  const back = await thereAndBack('Pseudo', 'de-DE')
  mustBeSound(back)
  const compared = compare(back, 'de-DE')
  expect(losses(compared)).toEqual([])
  const left = compared.flatMap(({ name, source, said }) => {
    const words = new Set(wordsOf(said))
    return wordsOf(source.parts).flatMap((word) =>
      words.has(word) ? [`${name} ${source.id}: ${word}`] : [],
    )
  })
  expect(left).toEqual([])
})

if (!hasApertium && process.env.CI !== 'true')
  test.skip('SKIPPED, apertium-apy is missing', () => {})
else
  describe('with the real engine', () => {
    it('comes back in Spanish: sound, with every placeholder, and few sentences as they were', async () => {
      const engine = await startApertium()
      try {
        const config = { url: engine.url, dialect: 'apertium' }
        const body = { name: 'Apertium', typeId: 'machine-translation', config }
        expect((await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).status).toBe(
          201,
        )
        const back = await thereAndBack('Apertium', 'es-ES')
        mustBeSound(back)
        const compared = compare(back, 'es-ES')
        expect(losses(compared)).toEqual([])
        const sentences = compared.filter(({ source }) => wordsOf(source.parts).length > 1)
        const same = sentences.filter(
          ({ source, said }) => String(wordsOf(source.parts)) === String(wordsOf(said)),
        )
        expect(sentences.length).toBeGreaterThan(40)
        expect(same.map(({ name, source }) => `${name} ${source.id}`).length).toBeLessThan(
          sentences.length / 10,
        )
      } finally {
        await engine.close()
      }
    })
  })
