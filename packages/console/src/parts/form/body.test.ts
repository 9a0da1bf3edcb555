import { expect, it } from 'vitest'
import { bodyOf, faultAt, numberOr } from './body.ts'

it.each([
  ['a text without the spaces around it', { name: 'text' }, { name: ' A b ' }, { name: 'A b' }],
  ['an empty text only if it is required', { a: 'text!', b: 'text' }, { a: '', b: ' ' }, { a: '' }],
  ['a number', { level: 'number!' }, { level: ' 7 ' }, { level: 7 }],
  ['what is no number as it was typed', { level: 'number' }, { level: '7a' }, { level: '7a' }],
  ['no number for an empty field', { level: 'number' }, { level: '' }, {}],
  ['a flag that is off', { visible: 'flag' }, { visible: false }, { visible: false }],
  ['a list as it is', { roles: 'list!' }, { roles: [] }, { roles: [] }],
  ['a list from one text', { nets: 'list' }, { nets: 'a, b\nc ' }, { nets: ['a', 'b', 'c'] }],
  [
    'fields with a path inside their object',
    { 'limits.day': 'number', 'limits.job': 'number' },
    { 'limits.day': '1', 'limits.job': '2' },
    { limits: { day: 1, job: 2 } },
  ],
  [
    'nothing that the call does not have',
    { name: 'text!' },
    { name: 'A', kind: 'x' },
    { name: 'A' },
  ],
  [
    'nothing that the form does not have',
    { name: 'text!', id: 'text!' },
    { name: 'A' },
    { name: 'A' },
  ],
])('a form sends %s', (_, fields, values, body) => {
  expect(bodyOf(fields as Record<string, string>, values)).toEqual(body)
})

it('a field shows its own fault, or the first one inside it, and no other', () => {
  const faults = new Map([
    ['allowFrom[1]', 'No network.'],
    ['allowFrom[2]', 'None either.'],
    ['quotas.MaxFilesPerJob', 'Too many.'],
    ['name', 'Too long.'],
  ])
  const found = ['name', 'allowFrom', 'quotas', 'allow', 'nam'].map((name) => faultAt(faults, name))
  expect(found).toEqual(['Too long.', 'No network.', 'Too many.', undefined, undefined])
})

it('a number is digits only', () => {
  expect(['12', ' 3 ', '1e3', '-1', ''].map(numberOr)).toEqual([12, 3, '1e3', '-1', ''])
})
