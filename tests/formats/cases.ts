/**
 * What every table of cases of a format asks: which texts are found, what is written, and that
 * nothing changed changes nothing.
 */
import { describe, expect, test } from 'vitest'
import type { Format } from '../../packages/text/src/formats/format.ts'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { formatOf, holdLaws } from './laws.ts'

export type Case = {
  readonly name: string
  readonly source: string
  /** The texts in order; a code stands in angle quotes. */
  readonly texts: readonly string[]
  /** The file when every text is in capitals. */
  readonly written: string
  readonly target?: string
  readonly options?: Parameters<Format['open']>[1]
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

export const shown = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : `«${part.raw}»`)).join('')

const capitals = (parts: readonly Part[]): Part[] =>
  parts.map((part) => (part.type === 'text' ? { ...part, text: part.text.toUpperCase() } : part))

export function shout(
  format: Format,
  bytes: Uint8Array,
  target = 'de-DE',
  options?: Case['options'],
): Uint8Array {
  const { segments, write } = format.open(bytes, options)
  const wanted = segments.filter(({ held }) => !held)
  return write(new Map(wanted.map(({ id, parts }) => [id, capitals(parts)])), {
    targetLanguage: target,
  })
}

/** The file with each text in turn. */
export function answer(format: Format, source: string, ...texts: readonly string[]): string {
  const bytes = bytesOf(source)
  const { segments, write } = format.open(bytes)
  const said = texts.map((text, at): [string, Part[]] => [
    segments[at]?.id ?? '',
    [{ type: 'text', text }],
  ])
  return textOf(write(new Map(said), { targetLanguage: 'de-DE' }))
}

export function holdCases(format: Format, cases: readonly Case[]): void {
  test.each(cases)('$name', ({ source, texts, written, target, options }) => {
    const bytes = bytesOf(source)
    expect(format.read(bytes, options).map(({ parts }) => shown(parts))).toEqual(texts)
    expect(textOf(shout(format, bytes, target, options))).toBe(written)
    holdLaws(format, bytes, options)
  })
}

type Brief = readonly [name: string, source: string, texts: readonly string[], written: string]
/** A table with a row a case. */
export function hold(id: string, cases: readonly Brief[], wrap = (inside: string) => inside): void {
  const whole = cases.map(
    ([name, source, texts, written]): Case => ({
      name,
      source: wrap(source),
      texts,
      written: wrap(written),
    }),
  )
  describe(id, () => holdCases(formatOf(id), whole))
}
