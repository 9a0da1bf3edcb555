/**
 * Texts through Apertium for real: no placeholder or tag is lost or invented, and no sentence,
 * however many clients there are.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../packages/server/src/domain/engines/drivers/open-engine.ts'
import {
  type SegmentResult,
  translateSegments,
} from '../packages/server/src/domain/engines/drivers/translate-segments.ts'
import type { ProviderRow } from '../packages/server/src/store/tables.ts'
import type { Part } from '../packages/text/src/placeholders/part.ts'
import { buildParts } from '../packages/text/src/placeholders/parts.ts'
import { type Apertium, hasApertium, startApertium } from './apertium.ts'
import { sampled, sized } from './draws.ts'
import { startHub, type TestHub } from './hub.ts'

const docs = join(import.meta.dirname, '../docs')

/** Sentences of our own documentation: prose, without markup. */
function englishSentences(): string[] {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
  const found = new Set<string>()
  for (const page of pages)
    for (const block of readFileSync(join(docs, page), 'utf8').split(/\n\s*\n/))
      for (const sentence of block
        .replace(/\s+/g, ' ')
        .match(/[A-Z][^.!?|#<>]{20,160}[.!?](?= |$)/g) ?? [])
        if (/^[A-Za-z ,;:'’()-]+[.!?]$/.test(sentence)) found.add(sentence)
  return [...found]
}

const who =
  'El perro|La niña|Mi hermano|El médico|La profesora|Nuestro vecino|El gato negro|La empresa|El director|Una amiga'
const does = 'compra|busca|necesita|vende|prepara|olvida|encuentra|quiere|mira|recibe'
const what =
  'un libro nuevo|la casa grande|el pan|dos entradas|la respuesta|un coche rojo|las llaves|el informe|una mesa|agua fría'
/** A thousand sentences of three parts. */
const spanishSentences = (): string[] =>
  who
    .split('|')
    .flatMap((one) =>
      does.split('|').flatMap((two) => what.split('|').map((three) => `${one} ${two} ${three}.`)),
    )

/** Each form stands twice in a sentence: after its second word and at its end. */
const forms: readonly (readonly [string, (words: readonly string[]) => string])[] = [
  ['{name}', (words) => inserted(words, '{name}', '{count}')],
  ['%1$s', (words) => inserted(words, '%1$s', '%2$d')],
  ['{{T01}}', (words) => inserted(words, '{{T01}}', '{{T02}}')],
  ['<x id="1"/>', (words) => inserted(words, '<x id="1"/>', '<br/>')],
  [
    '<b>…</b>',
    ([one = '', ...rest]) => `${one} <b>${rest.slice(0, -1).join(' ')}</b> <i>${rest.at(-1)}</i>`,
  ],
  ['<span translate="no">', (words) => inserted(words, '<span translate="no">{a}</span>', '%s')],
  ['${first}', (words) => inserted(words, '${first}', 'https://example.com/a?b=1')],
]
const inserted = (
  [one = '', two = '', ...rest]: readonly string[],
  first: string,
  second: string,
): string => `${one} ${two} ${first} ${rest.slice(0, -1).join(' ')} ${second} ${rest.at(-1) ?? ''}`

const partsOf = (text: string): readonly Part[] =>
  buildParts([{ text }], (same) => same, { newlines: true })
const codesOf = (parts: readonly Part[]): string =>
  parts
    .flatMap((part) => (part.type === 'code' ? part.raw : []))
    .sort()
    .join(' ')
const textOf = (one: SegmentResult | undefined): string =>
  one && 'parts' in one
    ? one.parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')
    : ''

if (hasApertium)
  describe('Apertium', () => {
    let apertium: Apertium
    let hub: TestHub
    let provider: ProviderRow
    beforeAll(async () => {
      apertium = await startApertium()
      hub = await startHub({ database: 'sqlite' })
      const config = { url: apertium.url, dialect: 'apertium', timeoutSeconds: 300 }
      const body = { name: 'Apertium', typeId: 'machine-translation', config }
      const { id } = (await hub.call('POST', '/v2/providers', { as: 'demo-admin', body })).body
      const { read } = hub.inner.db
      provider = await read
        .selectFrom('providers')
        .selectAll()
        .where('provider_id', '=', String(id))
        .executeTakeFirstOrThrow()
    })
    afterAll(async () => {
      await hub.close()
      await apertium.close()
    })
    const translate = (
      texts: readonly string[],
      sourceLanguage: string,
      targetLanguage: string,
    ) => {
      const languages = { sourceLanguage, targetLanguage }
      return translateSegments(texts.map(partsOf), languages, {
        engines: [openEngine(hub.inner, provider, languages)],
      })
    }

    const pairs = [
      ['en-us', 'es-es', englishSentences, 100],
      ['es-es', 'ca-es', spanishSentences, 1_000],
    ] as const
    it.each(pairs)('loses and invents no code from %s to %s', async (from, to, sentences, all) => {
      const some = sampled(sentences().slice(0, all), 20)
      const texts = forms.flatMap(([, put]) => some.map((sentence) => put(sentence.split(' '))))
      const results = await translate(texts, from, to)
      const open = results.flatMap((one, at) =>
        'open' in one ? [`${texts[at]}: ${one.open}`] : [],
      )
      // English to Spanish moves a code out of its place now and then: then the text is left open,
      // with the reason.
      expect(open.filter((one) => from === 'es-es' || !one.includes('cannot be used'))).toEqual([])
      expect(open.length).toBeLessThanOrEqual(texts.length / 100)
      const changed = results.flatMap((one, at) => {
        if ('open' in one) return []
        return codesOf(one.parts) === codesOf(partsOf(texts[at] ?? ''))
          ? []
          : [`${texts[at]} became ${textOf(one)}`]
      })
      expect(changed).toEqual([])
      expect(results.filter((one) => textOf(one).includes('..')).map(textOf)).toEqual([])
      expect(some.length).toBe(sized(20, all))
    })

    it('loses nothing of long texts of many clients at once', async () => {
      const clients = sized(2, 6)
      const sentences = spanishSentences()
      const texts = Array.from({ length: clients }, (_, client) => {
        const mine = sentences.filter((_, at) => at % clients === client)
        let text = ''
        for (let at = 0; text.length < 20_000; at += 1) text += `${mine[at % mine.length]} `
        return text.trim()
      })
      const count = (text: string, mark: string) => text.split(mark).length - 1
      const results = await Promise.all(texts.map((text) => translate([text], 'es', 'ca')))
      for (const [at, [result]] of results.entries()) {
        expect(result && 'open' in result ? result.open : '').toBe('')
        expect(count(textOf(result), '.')).toBe(count(texts[at] ?? '', '.'))
        expect(textOf(result).length).toBeGreaterThan((texts[at]?.length ?? 0) * 0.9)
      }
    })
  })
