/** Contract, section 18: the engine's own log-probabilities, and what servers send in their place. */
import { describe, expect, it } from 'vitest'
import { logProbabilitiesIn } from './log-probabilities.ts'

const choice = (tokens: [unknown, unknown][]) => ({
  logprobs: { content: tokens.map(([token, logprob]) => ({ token, logprob })) },
})
const found = (given: unknown) => Object.fromEntries(logProbabilitiesIn(given))
const whole: [string, number][] = [
  ['{"translations":[{"id":"1","text":"', -9],
  ['Guten', -1],
  [' Morgen', -3],
  ['"},{"id":"2","text":"', -9],
  ['Gute \\"Nacht\\"', -0.5],
  ['"}]}', -9],
]

describe('log-probabilities', () => {
  it('are the mean over the tokens of each text', () => {
    expect(found(choice(whole))).toEqual({ 1: -2, 2: -0.5 })
  })

  it('count a token that also holds what stands around a text', () => {
    const tokens: [string, number][] = [
      ['{"id": 7, "text": "A', -2],
      ['b"', -4],
      ['}', -9],
    ]
    expect(found(choice(tokens))).toEqual({ 7: -3 })
  })

  it('are bounded where a token is impossible', () => {
    expect(found(choice([['{"id":"1","text":"a"}', -1e300]]))).toEqual({ 1: -20 })
  })

  it.each<[string, unknown]>([
    ['none', {}],
    ['null', { logprobs: null }],
    ['text', choice([['{"id":"1","text":"a"}', '-0.5']])],
    ['above zero', choice([['{"id":"1","text":"a"}', 0.5]])],
    ['no number', choice([['{"id":"1","text":"a"}', Number.NaN]])],
    ['no token', choice([[17, -0.5]])],
    ['another form', { logprobs: { content: 'prose' } }],
    ['an old form', { logprobs: { tokens: ['a'], token_logprobs: [-1] } }],
    ['nothing of the kind', choice([['Here is your translation: a', -1]])],
    [
      'an empty text',
      choice([
        ['{"id":"1","text":"', -1],
        ['"}', -1],
      ]),
    ],
    ['one id twice', choice([...whole, ...whole].filter(([token]) => !/"2"/.test(token)))],
    ['too many', choice(Array.from({ length: 100_001 }, () => ['a', -1]))],
  ])('that are %s are absent', (_, given) => expect(found(given)).toEqual({}))
})
