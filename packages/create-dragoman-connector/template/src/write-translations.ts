/** Duty: write translations. Replace the files by your system. */
import { join } from 'node:path'
import { safePath, writeWhole } from '@dragoman/sdk/node'

export type Translation = {
  /** What readContent gave as id. */
  readonly id: string
  readonly language: string
  readonly fields: Readonly<Record<string, string>>
}

/** Whether it may be imported; a connector rejects what is broken instead of importing it. */
export const isSound = ({ fields }: Translation): boolean =>
  Object.values(fields).every((text) => text !== '' && !text.includes('\ufffd'))

export async function writeTranslation(home: string, { id, language, fields }: Translation): Promise<void> {
  const path = join(home, 'translations', safePath(`${language}/${id}.json`))
  await writeWhole(path, [Buffer.from(`${JSON.stringify(fields, null, 2)}\n`)])
}
