/** Splits a file into its texts and joins it again with every text changed. Run in a worker of the hub. */
import { findModule } from '../built.ts'

type Text = { readonly type: 'text'; readonly text: string }

export async function splitJoin(fileName: string, bytes: Uint8Array): Promise<number> {
  const { findFormat } = await findModule()
  const format = findFormat(fileName, bytes)
  if (!format) throw new Error(`The hub does not know the format of ${fileName}.`)
  const mark: Text = { type: 'text', text: 'x' }
  return format.rewrite(bytes, ({ parts }) => [mark, ...parts], { targetLanguage: 'de-DE' }).bytes.length
}
