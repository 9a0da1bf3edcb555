/** Splits a file into its texts and joins it again. Run in a worker of the hub. */
import { findModule } from '../built.ts'

export async function splitJoin(fileName: string, bytes: Uint8Array): Promise<number> {
  const { findFormat } = await findModule()
  const format = findFormat(fileName, bytes)
  if (!format) throw new Error(`The hub does not know the format of ${fileName}.`)
  return format.rewrite(bytes, ({ parts }) => parts, { targetLanguage: 'de-DE' }).bytes.length
}
