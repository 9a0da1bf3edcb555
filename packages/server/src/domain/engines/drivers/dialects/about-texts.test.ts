/**
 * What dialects tell an engine beside the texts, and what a call costs by the vendor's own count.
 */
import { expect, test } from 'vitest'
import { azure } from './azure.ts'
import { chat } from './chat.ts'
import { deepl } from './deepl.ts'
import type { EngineCall } from './dialect.ts'
import { modernmt } from './modernmt.ts'

const at = { url: 'http://engine', timeoutSeconds: 30, apiKey: 'k', own: {} }
const call: EngineCall = {
  texts: ['Save', 'Open 🗝'],
  source: 'en',
  target: 'de',
  format: 'text',
  about: [
    {
      before: 'File',
      after: 'Open',
      notes: ['A button.'],
      references: [{ source: 'Save all', target: 'Alle sichern', percent: 80 }],
    },
    { before: 'Save' },
  ],
  terms: [{ source: 'save', target: 'sichern' }],
}
const bodyOf = (body = '{}') => JSON.parse(body)

test('DeepL gets neighbours and notes as one context, which is not billed', () => {
  const body = bodyOf(deepl.translate.request(at, call).body)
  expect(body.context).toBe('A button.\nFile\nOpen\nSave')
  expect(deepl.cost.estimate(call)).toBe(10)
  expect(bodyOf(deepl.translate.request(at, { ...call, about: [] }).body)).not.toHaveProperty(
    'context',
  )
})

test('Azure 2026-06-06 gets similar translations as reference pairs, 3.0 gets none', () => {
  const { inputs } = bodyOf(azure.translate.request(at, call).body)
  expect(inputs[0].targets[0].referenceTextPairs).toEqual([
    { source: 'Save all', target: 'Alle sichern' },
  ])
  expect(inputs[1].targets[0]).not.toHaveProperty('referenceTextPairs')
  const old = azure.translate.request({ ...at, own: { version: '3.0' } }, call)
  expect(bodyOf(old.body)).toEqual([{ Text: 'Save' }, { Text: 'Open 🗝' }])
  expect(azure.cost.estimate(call), 'an adapted translation is billed, too').toBe(10 + 8)
})

test('a model gets all of it in its JSON', () => {
  const { messages } = bodyOf(chat.translate.request({ ...at, own: { model: 'm' } }, call).body)
  expect(JSON.parse(messages[1].content)).toEqual({
    from: 'en',
    to: 'de',
    texts: [
      {
        id: '1',
        text: 'Save',
        before: 'File',
        after: 'Open',
        notes: ['A button.'],
        similar: [{ source: 'Save all', target: 'Alle sichern' }],
      },
      { id: '2', text: 'Open 🗝', before: 'Save' },
    ],
    terms: [{ source: 'save', target: 'sichern' }],
  })
})

test.each([
  [deepl, { translations: [{ billed_characters: 4 }, { billed_characters: 6 }] }, {}, 10],
  [deepl, { translations: [{ text: 'x' }] }, {}, undefined],
  [azure, [], { 'x-metered-usage': '10' }, 10],
  [azure, [], { 'x-metered-usage': '-1' }, undefined],
  [modernmt, { data: [{ billedCharacters: 7 }] }, {}, 7],
  [chat, { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }, {}, 7],
  [chat, {}, {}, undefined],
])('%o bills what the vendor says', ({ cost }, answer, headers, billed) => {
  expect(cost.billed?.(answer, headers)).toBe(billed)
})

const said = (content: unknown, more = {}) => ({
  choices: [{ message: { content, ...more }, finish_reason: 'stop' }],
})
const two = '{"translations":[{"id":"1","text":"a"},{"id":"2","text":"b"}]}'
test.each([
  ['plain', said(two), ['a', 'b']],
  ['in a code block', said(`Sure!\n\`\`\`json\n${two}\n\`\`\``), ['a', 'b']],
  ['after thoughts with braces', said(`<think>{"translations":[]}</think>${two}`), ['a', 'b']],
  ['thoughts without an end', said(`<think>{"translations":[{"id":"1"`), [undefined, undefined]],
  [
    'in another order',
    said('{"translations":[{"id":"2","text":"b"},{"id":"1","text":"a"}]}'),
    ['a', 'b'],
  ],
  ['numbers as ids', said('{"translations":[{"id":1,"text":"a"}]}'), ['a', undefined]],
  [
    'an id twice',
    said('{"translations":[{"id":"1","text":"a"},{"id":"1","text":"b"}]}'),
    [undefined, undefined],
  ],
  ['unknown ids', said('{"translations":[{"id":"9","text":"a"}]}'), [undefined, undefined]],
  ['cut off', said(two.slice(0, 40)), [undefined, undefined]],
  ['null', said(null, { refusal: 'No.' }), [undefined, undefined]],
  ['no choices', {}, undefined],
])('an answer of a model: %s', (_, answer, texts) => {
  expect(chat.translate.read(answer, call)).toEqual(texts)
})

test.each([
  [429, { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }, 'LATER'],
  [
    429,
    { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    'QUOTA',
  ],
  [400, { error: { message: 'too many', code: 'context_length_exceeded' } }, 'SMALLER'],
  [400, { error: { message: 'the request exceeds the available context size' } }, 'SMALLER'],
  [400, { error: { message: 'unknown response_format' } }, 'REFUSED'],
  [401, { error: { message: 'Incorrect API key' } }, 'KEY'],
  [404, { error: "model 'x' not found" }, 'REFUSED'],
  [503, { error: { message: 'Loading model' } }, 'LATER'],
])('chat: %s %j is %s', (status, answer, cause) => {
  expect(chat.errorOf(status, answer).cause).toBe(cause)
})
