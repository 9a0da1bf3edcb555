/**
 * A format whose file is an archive: some entries are files of other formats, and everything else
 * is copied unchanged.
 */
import type { FormatId } from '@dragoman/contract/wire'
import type { Part } from '../../placeholders/part.ts'
import { bounds, mustFitBytes, mustFitSegments } from '../bounds.ts'
import { mustHaveSegments } from '../define-format.ts'
import type {
  Format,
  OpenFile,
  ReadOptions,
  Rewritten,
  Segment,
  Target,
  Translate,
} from '../format.ts'
import { FormatError } from '../format-error.ts'
import { openZip, readEntryBytes, type Zip, type ZipEntry } from './zip-read.ts'
import { replaceEntries } from './zip-write.ts'

export type ContainerRules<Id extends FormatId> = {
  readonly id: Id
  /** Refuses an archive that is none of this format. */
  readonly check?: (zip: Zip) => void
  /** The format of an entry, or undefined to copy it. `unpack` returns its bytes. */
  readonly formatOf: (
    entry: ZipEntry,
    unpack: () => Uint8Array,
    zip: Zip,
  ) => Pick<Format, 'open'> | undefined
  /** Warnings about copied entries. */
  readonly remark?: (copied: readonly string[]) => readonly string[]
}

type Opened = {
  readonly entry: ZipEntry
  readonly bytes: Uint8Array
  readonly file: OpenFile
  readonly prefix: string
}

export function defineContainer<Id extends FormatId>(
  rules: ContainerRules<Id>,
): Format & { readonly id: Id } {
  const open = (bytes: Uint8Array, options: ReadOptions = {}): OpenFile => {
    mustFitBytes(bytes.length, rules.id)
    const zip = openZip(bytes)
    rules.check?.(zip)
    const { opened, copied } = openEntries(rules, zip, options)
    const segments = gather(opened)
    const remarks = rules.remark?.(copied) ?? []
    return {
      segments,
      ...(remarks.length > 0 && { remarks }),
      write: (translations, target) => {
        mustHaveSegments(segments, translations)
        const contents = new Map<ZipEntry, Uint8Array>()
        for (const { entry, bytes: before, file, prefix } of opened) {
          const own = new Map(
            file.segments.flatMap(({ id }): [string, readonly Part[]][] => {
              const parts = translations.get(prefix + id)
              return parts ? [[id, parts]] : []
            }),
          )
          const after = own.size > 0 ? file.write(own, target) : before
          if (after !== before) contents.set(entry, after)
        }
        return contents.size === 0 ? bytes : replaceEntries(zip, contents)
      },
    }
  }
  return {
    id: rules.id,
    open,
    read: (bytes, options) => open(bytes, options).segments,
    write: (bytes, translations, target, options) =>
      open(bytes, options).write(translations, target),
    rewrite: (bytes, translate, target, options) =>
      rewriteOpened(open(bytes, options), translate, target),
  }
}

function rewriteOpened(
  { segments, remarks = [], write }: OpenFile,
  translate: Translate,
  target: Target,
): Rewritten {
  const translations = new Map<string, readonly Part[]>()
  for (const segment of segments) {
    const parts = translate(segment)
    if (parts) translations.set(segment.id, parts)
  }
  return { bytes: write(translations, target), remarks }
}

function openEntries<Id extends FormatId>(
  rules: ContainerRules<Id>,
  zip: Zip,
  options: ReadOptions,
): { opened: Opened[]; copied: string[] } {
  const opened: Opened[] = []
  const copied: string[] = []
  zip.entries.forEach((entry, at) => {
    if (entry.name.endsWith('/')) return
    let unpacked: Uint8Array | undefined
    const unpack = () => {
      unpacked ??= readEntryBytes(zip, entry)
      return unpacked
    }
    const format = rules.formatOf(entry, unpack, zip)
    if (!format) copied.push(entry.name)
    else {
      const bytes = unpack()
      opened.push({
        entry,
        bytes,
        file: openEntry(format, entry, bytes, options),
        prefix: prefixOf(entry, at),
      })
    }
  })
  return { opened, copied }
}

/** Adds the name of the entry to its error. */
function openEntry(
  format: Pick<Format, 'open'>,
  { name }: ZipEntry,
  bytes: Uint8Array,
  options: ReadOptions,
): OpenFile {
  try {
    return format.open(bytes, options)
  } catch (error) {
    if (error instanceof FormatError)
      throw new FormatError(error.code, `In "${name}": ${error.message}`)
    throw error
  }
}

/** An id starts with the entry, up to the only `#`. */
function prefixOf({ name }: ZipEntry, at: number): string {
  const escaped = name.replaceAll('~', '~0').replaceAll('#', '~2')
  return `${escaped.length < bounds.idLength / 2 ? escaped : `entry ${at + 1}`}#`
}

/** Their offsets are relative to the text of their entry. */
function gather(opened: readonly Opened[]): Segment[] {
  const all: Segment[] = []
  for (const { file, prefix } of opened)
    for (const segment of file.segments) {
      mustFitSegments(all.length + 1)
      const of = segment.of && { ...segment.of, id: prefix + segment.of.id }
      all.push({ ...segment, id: prefix + segment.id, ...(of && { of }) })
    }
  return all
}
