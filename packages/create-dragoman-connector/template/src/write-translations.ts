/** Writes translations. Write to your system instead of files. */
import { join } from 'node:path'
import { safePath, writeWhole } from '@dragoman/sdk/node'

export type Translation = {
  /** The id from readContent. */
  readonly id: string
  readonly language: string
  readonly fields: Readonly<Record<string, string>>
}

/** Whether the translation can be imported; a damaged one is rejected instead. */
export const isSound = ({ fields }: Translation): boolean =>
  Object.values(fields).every((text) => text !== '' && !text.includes('\ufffd'))

export async function writeTranslation(
  home: string,
  { id, language, fields }: Translation,
): Promise<void> {
  const path = join(home, 'translations', safePath(`${language}/${id}.json`))
  await writeWhole(path, [Buffer.from(`${JSON.stringify(fields, null, 2)}\n`)])
}
