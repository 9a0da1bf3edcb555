/**
 * Decodes an XML file that arrives in chunks, by its BOM, the shape of its first bytes or its
 * declaration.
 */
import { TmxError } from './tmx-error.ts'

const headBytes = 1_024

export async function* decodeXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let head: Buffer = Buffer.alloc(0)
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let label = ''
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? ''
    } catch {
      throw new TmxError(
        `it is not written in ${label}, as it should be by its first bytes; save it as UTF-8.`,
      )
    }
  }
  const start = (): string => {
    label = labelOf(head)
    try {
      decoder = new TextDecoder(label, { fatal: true })
    } catch {
      throw new TmxError(
        `it says that it is written in "${label}", which cannot be read here; save it as UTF-8.`,
      )
    }
    return decode(head)
  }
  for await (const chunk of bytes) {
    if (decoder) {
      yield decode(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length >= headBytes) yield start()
  }
  if (!decoder) yield start()
  yield decode(undefined)
}

function labelOf(head: Buffer): string {
  const [a, b] = head
  if (a === 0xef && b === 0xbb) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  const declared = /^<\?xml[^>]{0,200}?\sencoding\s{0,16}=\s{0,16}["']([\w.:-]{1,40})["']/.exec(
    head.toString('latin1'),
  )?.[1]
  // The declaration was just read as ASCII, so the bytes cannot be UTF-16, whatever it says.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared
}
