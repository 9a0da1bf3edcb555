/**
 * The connector's identity. The specification requires `<guid> <name> <version>` on every job, with
 * a GUID that is created once per installation and never changes: it is read from a store, and
 * created if the store has none.
 */
import type { KeptTexts } from './kept-texts.ts'

export type Connector = {
  /** A constant, meaningful name without spaces: `acme-cms`. */
  readonly name: string
  readonly version: string
  /** The GUID itself, or the store that holds it. */
  readonly installation: string | KeptTexts
}

export type ConnectorFields = { readonly connectorName: string; readonly connectorVersion: string }

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const keptAs = 'installation'

/** Both fields, computed once for all calls. */
export function openConnector(
  given: Connector | undefined,
): () => Promise<ConnectorFields | undefined> {
  if (!given) return async () => undefined
  const { name, version, installation } = given
  if (name.trim() === '' || version.trim() === '')
    throw new TypeError('A connector has a name and a version.')
  let found: Promise<ConnectorFields> | undefined
  const find = async () => {
    const id = typeof installation === 'string' ? installation : await installationOf(installation)
    if (!guid.test(id))
      throw new TypeError(`The installation of the connector is no GUID: "${id}".`)
    return {
      connectorName: `${id} ${name.trim()} ${version.trim()}`,
      connectorVersion: version.trim(),
    }
  }
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}

/** The GUID in the store; if two processes create one at the same time, both use the stored one. */
export async function installationOf(kept: KeptTexts): Promise<string> {
  const known = await kept.get(keptAs)
  if (known !== undefined) return known.trim()
  await kept.set(keptAs, newGuid(), { once: true })
  const made = await kept.get(keptAs)
  if (made === undefined) throw new Error('The installation GUID could not be kept.')
  return made.trim()
}

/** RFC 9562, version 4. */
function newGuid(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
