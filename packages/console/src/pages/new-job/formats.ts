/** How large a file of each format may be, in the words of the page. */
import { limits } from '@dragoman/contract/wire'
import type { CallAnswer } from '../../hub.ts'
import { usePages } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/new-job.json'
import { useWords } from '../../words/words.ts'

export type Format = CallAnswer<'listFormats'>['formats'][number]

export const useFormats = (): readonly Format[] =>
  usePages('listFormats').items.filter(({ translated }) => translated)

/** Finds the format of a file; of several with its extension, the one that may be largest. */
export function formatOf(formats: readonly Format[], fileName: string): Format | undefined {
  const name = fileName.toLowerCase()
  return formats
    .filter(({ extensions }) => extensions.some((one) => name.endsWith(`.${one.toLowerCase()}`)))
    .toSorted((one, other) => other.maxBytes - one.maxBytes)[0]
}

/** A limit as the documentation writes it: its megabytes are 1,024 times 1,024 bytes. */
export function roundOf(bytes: number): number {
  const power = bytes < 1024 ** 3 ? 2 : 3
  return (bytes / 1024 ** power) * 1_000 ** power
}

/**
 * The size of most formats, those with another one by name, and that of files which the hub only
 * passes on.
 */
export function useSizes(formats: readonly Format[]): string {
  const t = useWords<keyof typeof en>('new-job')
  const writers = useWriters()
  const most = Math.max(0, ...formats.map(({ maxBytes }) => maxBytes))
  const others = formats
    .filter(({ maxBytes }) => maxBytes < most)
    .map(({ name, maxBytes }) => `${name} ${writers.bytes(roundOf(maxBytes))}`)
  return t('dropHint', {
    size: writers.bytes(roundOf(most || limits.fileBytes)),
    has: others.length > 0 ? 'others' : 'none',
    others: writers.list(others),
    rest: writers.bytes(roundOf(limits.fileBytes)),
  })
}
