/** Parses a delivered key-value file. Pure, and run in a worker because the file is untrusted. */
import { limits } from '@dragoman/contract/wire'
import { FormatError, type KeyedText } from '@dragoman/text/formats'
import { SaxesParser } from 'saxes'

/** A FormatError says what is wrong, and where. */
export function readFields(bytes: Uint8Array): KeyedText[] {
  const fields: KeyedText[] = []
  const depth: string[] = []
  let field: { key: string; value: string } | undefined
  const parser = new SaxesParser()
  const refuse = (because: string): never =>
    malformed(`${because} at line ${parser.line}, column ${parser.column}`)
  parser.on('error', (error) => malformed(error.message))
  parser.on('doctype', () => refuse('it has a DOCTYPE, which is not allowed,'))
  parser.on('opentag', ({ name, attributes }) => {
    const at = depth.push(name)
    if (at === 1 && name !== 'content') refuse(`its root is <${name}>, not <content>,`)
    if (at === 2 && (name !== 'field' || attributes.key === undefined))
      refuse('only <field key="…"> is allowed in <content>,')
    if (at > 2) refuse('a field contains another element')
    if (fields.length === limits.fields)
      refuse(`it has more than ${limits.fields.toLocaleString('en')} fields`)
    if (at === 2) field = { key: attributes.key ?? '', value: '' }
  })
  const text = (more: string) => {
    if (field) field.value += more
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => {
    if (depth.pop() === 'field' && field) fields.push(field)
    field = undefined
  })
  parser.write(textOf(bytes)).close()
  return fields
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FormatError('ENCODING', 'The key-value file is not UTF-8.')
  }
}

function malformed(because: string): never {
  throw new FormatError('MALFORMED', `The key-value file cannot be read: ${because}.`)
}
