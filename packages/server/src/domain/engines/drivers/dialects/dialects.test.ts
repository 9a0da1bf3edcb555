/** Dialects of engines, held against answers that real engines gave. */
import { describe, expect, test } from 'vitest'
import { apertium } from './apertium.ts'
import { libreTranslate } from './libretranslate.ts'

const at = { url: 'http://engine', timeoutSeconds: 30 }
const call = (...texts: string[]) => ({
  texts,
  source: 'eng',
  target: 'spa',
  format: 'html' as const,
})
const said = (translatedText: unknown) => ({
  responseData: { translatedText },
  responseDetails: null,
  responseStatus: 200,
})

describe('Apertium', () => {
  test('one text travels as it is, several as paragraphs with their numbers', () => {
    const form = (...texts: string[]) =>
      Object.fromEntries(new URLSearchParams(apertium.translate.request(at, call(...texts)).body))
    const always = { langpair: 'eng|spa', format: 'html', markUnknown: 'yes' }
    expect(form('a & b <x id="1"/>')).toEqual({ ...always, q: 'a & b <x id="1"/>' })
    expect(form('one', 'two')).toEqual({ ...always, q: '<p id="0">one</p>\n<p id="1">two</p>' })
    expect(form('one*')).toEqual({ ...always, q: 'one*', markUnknown: 'no' })
    expect(apertium.translate.request({ ...at, apiKey: 'k' }, call('a')).body).toMatch(/&key=k$/)
    expect(apertium.limits.plainTexts).toBe(1)
  })
  test.each([
    [['Hello'], 'Hola', ['Hola']],
    [['One.', 'Two.'], '<p id="0">Uno.</p>\n<p id="1">Dos.</p>', ['Uno.', 'Dos.']],
    [['One.', 'Two.'], '<p id="1">Dos.</p>\n<p id="0">Uno.</p>', ['Uno.', 'Dos.']],
    [['One.', 'Two.'], '<p id="0">Uno.</p>\n<p id="0">Dos.</p>', [undefined, undefined]],
    [['One.', 'Two.'], '<p id="0">Uno.</p>\n<p id="1">Do', ['Uno.', undefined]],
    [
      ['The frobnicator sleeps.'],
      'El *frobnicator duerme.',
      [{ text: 'El frobnicator duerme.', unknown: 1 }],
    ],
    [['el <x id="1"/> informe.'], 'l\'informe.. <x id="1"/>', ['l\'informe. <x id="1"/>']],
    [['2 * x * y'], '2 * x * *y', ['2 * x * *y']],
    [['Hello <x id="1"/>, you have'], 'Hola <x id="1"/>,  tienes', ['Hola <x id="1"/>, tienes']],
    [
      ['Thanks.<x id="1"/>We hope'],
      'Gracias.<x id="1"/> Esperamos',
      ['Gracias.<x id="1"/>Esperamos'],
    ],
    [['One.', 'Two.'], '<p>Uno. Dos.</p>', [undefined, undefined]],
    [['a'], 7, undefined],
  ])('%j is read from %j', (texts, answer, read) => {
    expect(apertium.translate.read(said(answer), call(...texts))).toEqual(read)
  })
  test('what it lists is told by the codes of the hub, variants left out', () => {
    const pair = (sourceLanguage: string, targetLanguage: string) => ({
      sourceLanguage,
      targetLanguage,
    })
    const answer = {
      responseData: [
        pair('spa', 'eng'),
        pair('spa', 'eng_US'),
        pair('eng', 'spa'),
        pair('hbs', 'slv'),
      ],
    }
    expect(apertium.languages?.read(answer)).toEqual([
      { source: 'es', targets: ['en'] },
      { source: 'en', targets: ['es'] },
      { source: 'hbs', targets: ['sl'] },
    ])
    expect(apertium.languages?.read({ responseData: 'x' })).toBeUndefined()
  })
  test.each([
    ['en-us', 'eng'],
    ['es-MX', 'spa'],
    ['nb_NO', 'nob'],
    ['no', 'nob'],
    ['eng', 'eng'],
    ['zxx', 'zxx'],
  ])('%s is %s', (ours, theirs) => expect(apertium.codeOf(ours, 'source')).toBe(theirs))
  test('its errors have a sentence', () => {
    const answer = {
      status: 'error',
      code: 400,
      message: 'Bad Request',
      explanation: 'That pair is not installed',
    }
    expect(apertium.errorOf(400, answer)).toEqual({
      cause: 'PAIR',
      sentence: 'That pair is not installed',
    })
  })
})

describe('LibreTranslate', () => {
  test('texts, languages and errors', () => {
    expect(
      JSON.parse(
        libreTranslate.translate.request({ ...at, apiKey: 'k' }, call('a', 'b')).body ?? '',
      ),
    ).toEqual({
      q: ['a', 'b'],
      source: 'eng',
      target: 'spa',
      format: 'html',
      api_key: 'k',
    })
    const plain = { ...call('Fish &amp; AT&T &#8364; & all'), format: 'text' as const }
    expect(JSON.parse(libreTranslate.translate.request(at, plain).body ?? '').q).toEqual([
      'Fish &amp;amp; AT&T &amp;#8364; & all',
    ])
    expect(libreTranslate.translate.read({ translatedText: ['x'] }, call('a'))).toEqual(['x'])
    expect(libreTranslate.translate.read({ translatedText: 'x' }, call('a'))).toBeUndefined()
    const answer = [{ code: 'en', name: 'English', targets: ['de', 'en', 'es'] }, 7]
    expect(libreTranslate.languages?.read(answer)).toEqual([
      { source: 'en', targets: ['de', 'es'] },
    ])
    expect(libreTranslate.errorOf(403, { error: 'Invalid API key' })).toEqual({
      cause: 'KEY',
      sentence: 'Invalid API key',
    })
  })
})
