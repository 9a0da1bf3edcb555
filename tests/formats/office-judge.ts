/**
 * LibreOffice opens Office files before and after translation: the same lines, cells and pages must
 * be there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWhole } from './judge.ts'

export type OfficeId = 'docx' | 'xlsx' | 'pptx'
type WrittenFile = {
  readonly path: string
  readonly source: Uint8Array
  readonly written: Uint8Array
}

const exports: Record<
  OfficeId,
  readonly [filter: string, extension: string, shape: (text: string) => unknown]
> = {
  docx: [
    'txt:Text (encoded):UTF8',
    'txt',
    (text) => text.split('\n').map((line) => line.trim() !== ''),
  ],
  xlsx: [
    'csv:Text - txt - csv (StarCalc):44,34,76',
    'csv',
    (text) => text.replace(/"(?:[^"]|"")*"/g, '').replace(/[^,\n]/g, ''),
  ],
  pptx: ['pdf', 'pdf', (text) => text.match(/\/Type\s?\/Page\b/g)?.length],
}

/**
 * The paths of files that LibreOffice opens, and whose translation it does not open or shows in
 * another shape.
 */
export function differInOffice(id: OfficeId, pairs: readonly WrittenFile[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'office-'))
  const [filter, extension, shape] = exports[id]
  const shown = (name: string): unknown => {
    const made = join(folder, `${name}.${extension}`)
    return existsSync(made) ? shape(readFileSync(made, 'utf8')) : 'not opened'
  }
  try {
    const names = pairs.flatMap(({ source, written }, at) => {
      writeFileSync(join(folder, `${at}-source.${id}`), source)
      writeFileSync(join(folder, `${at}-written.${id}`), written)
      return [`${at}-source.${id}`, `${at}-written.${id}`]
    })
    const profile = `-env:UserInstallation=file://${folder}/profile`
    for (let from = 0; from < names.length; from += 20) {
      const some = names.slice(from, from + 20).map((name) => join(folder, name))
      runWhole(
        'soffice',
        [profile, '--headless', '--convert-to', filter, '--outdir', folder, ...some],
        600_000,
      )
    }
    return pairs.flatMap(({ path }, at) => {
      const [before, after] = [shown(`${at}-source`), shown(`${at}-written`)]
      return before === 'not opened' || JSON.stringify(before) === JSON.stringify(after)
        ? []
        : [path]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
