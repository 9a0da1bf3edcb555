/**
 * A provider that works with packages: it downloads each, has it checked, and sends it until it is
 * answered. One comes back as XLIFF under an Idempotency-Key, one as the files themselves without a
 * key, where the package itself must bear a repetition.
 */
import type { PackageDelivery, TextParts } from '@dragoman/contract'
import { edited, packed, unpack } from '../packages-kit.ts'
import type { RoundClient } from './round-client.ts'

/** A target that was written, and the version that it was written over. */
export type Written = {
  readonly segmentId: string
  readonly target: TextParts
  readonly state: string
  readonly version: number
}
export type Task = {
  readonly name: string
  readonly language: string
  readonly requestId: string
  readonly path: string
}
type Way = {
  readonly format: 'xliff12' | 'original'
  readonly hasKey: boolean
  translate(text: string, name: string): string
}

const words: Readonly<Record<string, string>> = {
  ...{ Hello: 'Bonjour', big: 'grand', world: 'monde', Save: 'Garder', files: 'fichiers' },
  ...{ Open: 'Ouvrir', Close: 'Fermer' },
}
const inOtherWords = (text: string): string =>
  text.replaceAll(/\w+/g, (word) => words[word] ?? word)

/** By language. */
export const packages: Readonly<Record<string, Way>> = {
  'fr-fr': {
    format: 'xliff12',
    hasKey: true,
    translate: (text) => text.replaceAll(/<target[\s\S]*?<\/target>/g, inOtherWords),
  },
  'es-es': {
    format: 'original',
    hasKey: false,
    translate: (text, name) => (name === 'manifest.json' ? text : inOtherWords(text)),
  },
}

/** Returns the targets that the hub must have now, by request. */
export async function deliverPackages(
  provider: RoundClient,
  job: string,
  tasks: readonly Task[],
  key: (what: string) => string,
): Promise<Map<string, Written[]>> {
  const written = new Map<string, Written[]>()
  for (const [language, { format, hasKey, translate }] of Object.entries(packages)) {
    const own = tasks.filter((task) => task.language === language)
    if (format === 'xliff12')
      for (const task of own) written.set(task.requestId, await targetsOf(provider, task))
    const out = unpack(await provider.getFile(`${job}/package?format=${format}&target=${language}`))
    const zip = packed(edited(out, translate))
    const send = (query: string, once?: string) =>
      provider.postFile<PackageDelivery>(`${job}/package${query}`, once, zip, 'application/zip')
    const ids = own.map(({ requestId }) => requestId)
    mustBe(await send('?dryRun=true'), ids, [])
    const answer = await send('', hasKey ? key(`package ${language}`) : undefined)
    // Without a key a repetition is told that there is nothing left to do.
    if (hasKey || answer.delivered.length > 0) mustBe(answer, ids, [])
    else mustBe(answer, [], ids)
    mustBe(await send('?dryRun=true'), [], ids)
  }
  return written
}

function mustBe(
  answer: PackageDelivery,
  delivered: readonly string[],
  unchanged: readonly string[],
): void {
  const said = JSON.stringify([answer.delivered, answer.unchanged])
  if (said !== JSON.stringify([delivered, unchanged]))
    throw new Error(`A package was answered ${said}, not ${JSON.stringify([delivered, unchanged])}`)
}

async function targetsOf(provider: RoundClient, { path }: Task): Promise<Written[]> {
  const { segments } = await provider.get<{ segments: { segmentId: string; source: TextParts }[] }>(
    `${path}/segments`,
  )
  const translated = (part: TextParts[number]) =>
    typeof part === 'string' ? inOtherWords(part) : part
  return segments.map(({ segmentId, source }) => {
    return { segmentId, target: source.map(translated), state: 'TRANSLATED', version: 0 }
  })
}
