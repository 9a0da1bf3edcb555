import { expect, test } from 'vitest'
import { hostOf, readPostgresUrl } from './postgres-url.ts'

test.each([
  ['postgres://db/hub', ['postgres://db/hub'], false],
  ['postgres://u:p@db:1/hub?sslmode=require', ['postgres://u:p@db:1/hub?sslmode=require'], false],
  [
    'postgres://u:p%2C@a:1,b:2,[::1]:3/hub?sslmode=require&target_session_attrs=read-write',
    [
      'postgres://u:p%2C@a:1/hub?sslmode=require',
      'postgres://u:p%2C@b:2/hub?sslmode=require',
      'postgres://u:p%2C@[::1]:3/hub?sslmode=require',
    ],
    true,
  ],
  ['postgres://a,b', ['postgres://a', 'postgres://b'], true],
  ['postgres://a,b/hub?target_session_attrs=any', ['postgres://a/hub', 'postgres://b/hub'], true],
  ['postgres://a/hub?target_session_attrs=primary', ['postgres://a/hub'], true],
  ['postgres://a/hub?target_session_attrs=any', ['postgres://a/hub'], false],
  ['postgres:///hub?host=%2Frun%2Fpg', ['postgres:///hub?host=%2Frun%2Fpg'], false],
])('%s is read as libpq reads it', (url, urls, mustWrite) => {
  expect(readPostgresUrl(url)).toEqual({ urls, mustWrite })
})

test('the number of connections is taken out of the URL', () => {
  expect(readPostgresUrl('postgres://a,b/hub?pool=3')).toMatchObject({
    poolSize: 3,
    urls: ['postgres://a/hub', 'postgres://b/hub'],
  })
  expect(() => readPostgresUrl('postgres://a/hub?pool=0')).toThrow(/pool/)
})

test('a host in a message has no password', () => {
  expect(hostOf('postgres://u:sesame@a:1/hub')).toBe('a:1')
  expect(hostOf('postgres:///hub?host=/run/pg')).toBe('the local socket')
})
