/**
 * The way of segments through engines: what is sent, what is taken, and what becomes of the rest.
 */

import type { Part } from '@dragoman/text/formats'
import { buildParts } from '@dragoman/text/placeholders'
import { describe, expect, test } from 'vitest'
import type { Engine } from './ask-batches.ts'
import { CannotTranslate, TryLater } from './driver.ts'
import { Held, Refused } from './engine-call.ts'
import { type SegmentResult, translateSegments } from './translate-segments.ts'

type Say = (
  text: string,
  call: readonly string[],
) => string | { text: string; unknown: number } | undefined

/** An engine that answers each text by `say`, and notes its calls. */
function engineThat(
  say: Say,
  given: Partial<Engine> = {},
): Engine & { readonly calls: (readonly string[])[] } {
  const calls: (readonly string[])[] = []
  return {
    providerId: given.name ?? 'one',
    name: 'one',
    style: 'xml',
    limits: { perCall: { most: 10_000, unit: 'CHARACTERS' } },
    batchSize: 50,
    batchBytes: 30_000,
    concurrency: 2,
    ask: async (texts) => {
      calls.push(texts)
      return texts.map((text) => say(text, texts))
    },
    ...given,
    calls,
  }
}

const partsOf = (text: string): readonly Part[] =>
  buildParts([{ text }], (same) => same, { newlines: true })
const textOf = (one: SegmentResult | undefined): string =>
  one && 'parts' in one
    ? one.parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')
    : `(${one?.open})`
const capitals = (text: string): string =>
  text.replace(/<[^>]*>|[^<]+/g, (part) => (part.startsWith('<') ? part : part.toUpperCase()))
const toGerman = { sourceLanguage: 'en-us', targetLanguage: 'de-de' }
const translate = (texts: readonly string[], ...engines: readonly Engine[]) =>
  translateSegments(texts.map(partsOf), toGerman, { engines })

const german =
  'Ihre Bestellung wurde gestern verschickt und kommt morgen früh bei Ihnen an, wenn das Wetter es zulässt.'
const english =
  'Your order was sent yesterday and will arrive tomorrow in the morning if the weather allows for it.'
const french =
  'Votre commande a été envoyée hier et elle arrivera demain matin chez vous si le temps le permet bien.'

describe('an answer', () => {
  const rows: [string, string, ReturnType<Say>, number | RegExp, string?][] = [
    ['is taken', english, german, 0],
    [
      'that is the source again is kept, with a risk',
      'Dragoman Hub',
      'Dragoman Hub',
      50,
      'SAME_AS_SOURCE',
    ],
    [
      'that is the source in capitals is the same',
      english,
      english.toUpperCase(),
      50,
      'SAME_AS_SOURCE',
    ],
    [
      'with another number is refused',
      'It costs 1,250.50 now.',
      'Es kostet jetzt 1.250,05.',
      /number/,
    ],
    [
      'with the number as it is written there is taken',
      'It costs 1,250.50 now.',
      'Es kostet jetzt 1.250,50.',
      0,
    ],
    [
      'with a number too many is refused',
      'It costs little.',
      'Es kostet 4711 wenig.',
      /number 4711/,
    ],
    [
      'with two digits of a number exchanged is refused',
      'Take 12 of those things on 5 May.',
      'Nimm am 5. Mai 21 davon.',
      /number 12/,
    ],
    [
      'in other units is a risk',
      'It lies 28 miles east of here.',
      'Es liegt 45 Kilometer östlich von hier.',
      40,
      'NUMBERS',
    ],
    [
      'without a year that the source has is a risk',
      'In 1984 it was sold.',
      'Dann wurde es verkauft.',
      40,
      'NUMBERS',
    ],
    ['with a number in words is taken', 'It has 100,000 rows.', 'Es hat hunderttausend Zeilen.', 0],
    [
      'without a small number is a risk',
      'Take 2 of those things.',
      'Nimm einige davon.',
      40,
      'NUMBERS',
    ],
    [
      'in the language of the source is refused',
      'Hello there. '.repeat(8),
      english,
      /language .*English/,
    ],
    [
      'in a third language is refused',
      english,
      french,
      /not in the language that was asked for \(French\)/,
    ],
    [
      'in another script is refused',
      english,
      'Ваш заказ был отправлен вчера и прибудет завтра утром. '.repeat(2),
      /script/,
    ],
    ['that is short is never refused by its language', 'Good morning', 'Bonjour à tous', 0],
    ['of half the text is refused', english, 'Ihre Bestellung wurde verschickt.', /far too short/],
    ['that goes on and on is refused', english, `${german} `.repeat(5), /far too long/],
    [
      'with unknown words has a risk',
      'The frobnicator sleeps.',
      { text: 'Der frobnicator schläft.', unknown: 1 },
      35,
    ],
    ['that is missing is refused', english, undefined, /returned no translation of it/],
    ['without its tags is refused', 'Hello {name}', 'Hallo', /the code 1/],
    [
      'with a tag twice is refused',
      'Hello {name}',
      'Hallo <x id="1"/> <x id="1"/>',
      /came back 2 times/,
    ],
    ['with a tag of another text is refused', 'Hello {name}', 'Hallo <x id="4"/>', /never sent/],
  ]
  test.each(rows)('%s', async (_, source, answer, expected, reason) => {
    const engine = engineThat(() => answer)
    const [result] = await translate([source], engine)
    if (typeof expected === 'number') {
      expect(result).toMatchObject({ risk: expected, origin: { providerId: 'one', engine: 'one' } })
      if (reason) expect(result).toMatchObject({ reasons: [reason] })
      expect(engine.calls).toHaveLength(1)
    } else {
      expect(textOf(result)).toMatch(expected)
      expect(engine.calls.length).toBe(2)
    }
  })
})

describe('what is sent', () => {
  test('has its white space collapsed, and the edges of the source again', async () => {
    const engine = engineThat((text) => capitals(text))
    const [result] = await translateSegments(
      [[{ type: 'text', text: '\n   Your   order\n\twas sent.  ' }]],
      toGerman,
      {
        engines: [engine],
      },
    )
    expect(engine.calls).toEqual([['Your order was sent.']])
    expect(textOf(result)).toBe('\n   YOUR ORDER WAS SENT.  ')
  })
  test('is within the limits of the engine, counted in its unit, with what the dialect adds', async () => {
    const limits = { texts: 4, perCall: { most: 30, unit: 'BYTES' }, around: 5 } as const
    const engine = engineThat((text) => text, { limits, concurrency: 1 })
    await translate(['äöü', 'abcdefghij', 'klmnop', 'qr', 'st', 'uv', 'wx'], engine)
    expect(engine.calls).toEqual([
      ['äöü', 'abcdefghij'],
      ['klmnop', 'qr', 'st'],
      ['uv', 'wx'],
    ])
  })
  test('goes sentence by sentence if the whole is too long, and is one text again', async () => {
    const limits = {
      perText: { most: 30, unit: 'CHARACTERS' },
      perCall: { most: 1_000, unit: 'CHARACTERS' },
    } as const
    const engine = engineThat((text) => capitals(text), { limits })
    const [result, long] = await translate(
      ['The dog sleeps. <b>The</b> cat watches. It rains.', 'x'.repeat(31)],
      engine,
    )
    expect(textOf(result)).toBe('THE DOG SLEEPS. <b>THE</b> CAT WATCHES. IT RAINS.')
    expect(result).toMatchObject({ reasons: ['SAME_AS_SOURCE', 'IN_PIECES'] })
    expect(textOf(long)).toBe(
      '(A text of 31 characters is too long; the maximum for an engine is 30.)',
    )
  })
})

describe('what fails', () => {
  test('is sent again alone, and the rest is not', async () => {
    const engine = engineThat((text, call) =>
      call.length > 1 && text.includes('<x') ? 'Eins' : capitals(text),
    )
    const results = await translate(['One {x}', 'Two'], engine)
    expect(results.map(textOf)).toEqual(['ONE {x}', 'TWO'])
    expect(results[0]).toMatchObject({ reasons: ['SAME_AS_SOURCE', 'ASKED_AGAIN'] })
    expect(engine.calls).toEqual([['One <x id="1"/>', 'Two'], ['One <x id="1"/>']])
  })
  test('and has several sentences is sent by sentences', async () => {
    const engine = engineThat((text) =>
      text.includes('<x') && text.includes('. ') ? 'Nichts' : capitals(text),
    )
    const [result] = await translate(['The dog of {name} sleeps. The cat watches.'], engine)
    expect(textOf(result)).toBe('THE DOG OF {name} SLEEPS. THE CAT WATCHES.')
  })
  test('goes to the next engine, and says who translated it', async () => {
    const first = engineThat((text) => capitals(text.replace(/<x[^>]*>/, '')))
    const second = engineThat((text) => capitals(text), { name: 'two' })
    const results = await translate(['One {x}', 'Two'], first, second)
    expect(results.map(textOf)).toEqual(['ONE {x}', 'TWO'])
    expect(
      results.map((one) => 'origin' in one && one.origin !== 'MEMORY' && one.origin?.engine),
    ).toEqual(['two', 'one'])
    expect(second.calls).toEqual([['One <x id="1"/>']])
  })
  test('of every engine stays open with the last reason; the others have their translation', async () => {
    const lossy = (name: string) =>
      engineThat((text) => capitals(text.replace(/<x[^>]*>/, '')), { name })
    const results = await translate(['One {x}', 'Two'], lossy('one'), lossy('two'))
    expect(results[0]).toEqual({
      open: expect.stringMatching(/^The .* "One <x id="1"\/>" cannot be used: the code 1/),
    })
    expect(textOf(results[1])).toBe('TWO')
  })
  test.each([
    ['no answer', new TryLater('It could not be reached.')],
    ['a pair that is missing', new Refused('That pair is not installed.', 'PAIR')],
    ['a key that is refused', new Refused('Wrong key.', 'KEY')],
    ['an answer of another form', new CannotTranslate('Unknown format.')],
  ])('as a whole by %s goes to the next engine', async (_, error) => {
    const broken = engineThat(() => '', { ask: () => Promise.reject(error) })
    const second = engineThat((text) => capitals(text), { name: 'two' })
    const [result] = await translate(['Two'], broken, second)
    expect(result).toMatchObject({ origin: { engine: 'two' } })
    if (error instanceof TryLater) await expect(translate(['Two'], broken)).rejects.toBe(error)
    else expect(textOf((await translate(['Two'], broken))[0])).toBe(`(${error.message})`)
  })
  test('after some answers goes to the next engine without what has its translation', async () => {
    const first = engineThat((text) => capitals(text))
    const broken: Engine = {
      ...first,
      batchSize: 1,
      concurrency: 1,
      ask: (texts) =>
        first.calls.length > 0
          ? Promise.reject(new Refused('Wrong key.', 'KEY'))
          : first.ask(texts, {}),
    }
    const second = engineThat((text) => capitals(text), { name: 'two' })
    const results = await translate(['One', 'Two', 'Three'], broken, second)
    expect(results).toMatchObject([
      { origin: { engine: 'one' } },
      { origin: { engine: 'two' } },
      { origin: { engine: 'two' } },
    ])
    expect(second.calls).toEqual([['Two', 'Three']])
  })
  test('by a quota is held: no other database is asked', async () => {
    const held = engineThat(() => '', {
      ask: () => Promise.reject(new Held('The quota is used up.', 0)),
    })
    const second = engineThat((text) => capitals(text), { name: 'two' })
    await expect(translate(['Two'], held, second)).rejects.toThrow('The quota is used up.')
    expect(second.calls).toEqual([])
  })
  test('by its size is sent in halves, down to one text', async () => {
    const engine = engineThat((text) => capitals(text), { concurrency: 1 })
    const picky: Engine = {
      ...engine,
      ask: (texts) =>
        texts.length > 1 || texts[0] === 'Bad'
          ? Promise.reject(new Refused('Too much.', 'SMALLER'))
          : engine.ask(texts, {}),
    }
    const results = await translate(['One', 'Two', 'Bad', 'Four'], picky)
    expect(results.map(textOf)).toEqual(['ONE', 'TWO', '(Too much.)', 'FOUR'])
  })
})
