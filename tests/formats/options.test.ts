/** JSON values and HTML attributes: which are text, by the options of a job. */
import { describe } from 'vitest'
import { type Case, holdCases } from './cases.ts'
import { formatOf } from './laws.ts'

const source =
  '{"title": "one", "id": "two", "list": [{"title": "three", "slug": "four"}], "body": {"en": "five"}}'
const cases: Case[] = [
  {
    name: 'every value without options',
    source,
    texts: ['one', 'two', 'three', 'four', 'five'],
    written:
      '{"title": "ONE", "id": "TWO", "list": [{"title": "THREE", "slug": "FOUR"}], "body": {"en": "FIVE"}}',
  },
  {
    name: 'only under the keys that are named, at any depth',
    source,
    options: { json: { keys: ['title', 'body'] } },
    texts: ['one', 'three', 'five'],
    written:
      '{"title": "ONE", "id": "two", "list": [{"title": "THREE", "slug": "four"}], "body": {"en": "FIVE"}}',
  },
  {
    name: 'all but the keys that are named',
    source,
    options: { json: { skipKeys: ['id', 'slug'] } },
    texts: ['one', 'three', 'five'],
    written:
      '{"title": "ONE", "id": "two", "list": [{"title": "THREE", "slug": "four"}], "body": {"en": "FIVE"}}',
  },
  {
    name: 'an empty list of keys means all, so that a job can undo what its site says',
    source: '{"a": "one"}',
    options: { json: { keys: [] } },
    texts: ['one'],
    written: '{"a": "ONE"}',
  },
]
describe('cases', () => holdCases(formatOf('json'), cases))

describe('attributes of HTML', () =>
  holdCases(formatOf('html'), [
    {
      name: 'the usual ones, and those that a job names',
      source: '<p data-tip="one" alt="two" class="three">four</p>',
      options: { html: { attributes: ['Data-Tip'] } },
      texts: ['one', 'two', 'four'],
      written: '<p data-tip="ONE" alt="TWO" class="three">FOUR</p>',
    },
  ]))
