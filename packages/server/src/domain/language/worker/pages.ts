/**
 * A long list on its way between threads: pages of JSON, as bytes that are moved and not copied.
 * Whoever gets it reads one page at a time, so that no list of any length stops the event loop, and
 * keeps bytes and no objects.
 */
import { openPauses } from '../../../turns/pauses.ts'

export type Pages = {
  readonly pages: readonly Uint8Array[]
  /** The number of the first item of each page; the last one is that of all items. */
  readonly starts: Uint32Array
}

/** A page takes well below a millisecond to parse. An item that is longer has its own. */
const pageCharacters = 32 * 1024

export type Pager<T> = {
  /** Returns its length as JSON. */
  readonly add: (item: T) => number
  readonly finish: () => Pages
}

export function openPager<T>(): Pager<T> {
  const encoder = new TextEncoder()
  const pages: Uint8Array[] = []
  const starts = [0]
  let open: string[] = []
  let [characters, count] = [0, 0]
  const flush = () => {
    if (open.length === 0) return
    pages.push(encoder.encode(`[${open.join(',')}]`))
    starts.push(count)
    open = []
    characters = 0
  }
  return {
    add: (item) => {
      const text = JSON.stringify(item)
      if (characters + text.length > pageCharacters) flush()
      open.push(text)
      characters += text.length
      count += 1
      return text.length
    },
    finish: () => {
      flush()
      return { pages, starts: Uint32Array.from(starts) }
    },
  }
}

/** Packs items in a worker, which may take its time. */
export function pagesOf<T>(items: Iterable<T>): Pages {
  const pager = openPager<T>()
  for (const item of items) pager.add(item)
  return pager.finish()
}

/** Packs items on the main thread, with pauses. */
export async function packInTurns<T>(items: Iterable<T> | AsyncIterable<T>): Promise<Pages> {
  const pager = openPager<T>()
  const pause = openPauses()
  for await (const item of items) {
    pager.add(item)
    await pause()
  }
  return pager.finish()
}

export const lengthOf = ({ starts }: Pages): number => starts.at(-1) ?? 0

export const bytesOf = ({ pages }: Pages): number =>
  pages.reduce((sum, { byteLength }) => sum + byteLength, 0)

const decoder = new TextDecoder()

export const readPage = <T>(page: Uint8Array): T[] => JSON.parse(decoder.decode(page)) as T[]

/** Reads the items in a worker. */
export function* itemsIn<T>({ pages }: Pages): Generator<T> {
  for (const page of pages) yield* readPage<T>(page)
}

/** A page at a time, with pauses. */
export async function* eachPage<T>({ pages }: Pages): AsyncGenerator<T[], void> {
  const pause = openPauses()
  for (const page of pages) {
    yield readPage<T>(page)
    await pause()
  }
}

/** All items, for lists that are needed whole and that their caller has bounded. */
export async function wholeList<T>(pages: Pages): Promise<T[]> {
  const all: T[] = []
  for await (const some of eachPage<T>(pages)) for (const item of some) all.push(item)
  return all
}

/** The bytes and pages in a value, as far as they lie near its top. */
export function viewsIn(value: unknown): ArrayBufferView[] {
  const found: ArrayBufferView[] = []
  const visit = (one: unknown, depth: number): void => {
    if (ArrayBuffer.isView(one)) found.push(one)
    else if (depth > 0 && typeof one === 'object' && one !== null) {
      // Of lists only those of pages: others may be long.
      if (!Array.isArray(one)) for (const inner of Object.values(one)) visit(inner, depth - 1)
      else if (one[0] instanceof Uint8Array) for (const inner of one) visit(inner, 0)
    }
  }
  visit(value, 3)
  return found
}

/** Those that can be moved: a part of a larger buffer would take the rest with it. */
export function buffersIn(value: unknown): ArrayBuffer[] {
  const own = viewsIn(value).flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  )
  return [...new Set(own)]
}
