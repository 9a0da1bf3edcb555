import type { HubError } from '@dragoman/contract'
import { afterEach, expect, test } from 'vitest'
import { takeTurn } from './hash-turns.ts'

/**
 * Each piece of work waits until the test ends it; the test records what started and what was
 * refused.
 */
let begun: string[] = []
let refused: string[] = []
const ends = new Map<string, () => void>()
const all: Promise<unknown>[] = []

function show(address: string, clientId: string): void {
  const name = `${address} ${clientId}`
  const work = () =>
    new Promise<void>((resolve) => {
      begun.push(name)
      ends.set(name, resolve)
    })
  all.push(
    takeTurn({ address, clientId }, work).catch(
      (error) => void refused.push(`${name}: ${(error as HubError).message}`),
    ),
  )
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
async function end(name: string): Promise<void> {
  ends.get(name)?.()
  ends.delete(name)
  await settle()
}

afterEach(async () => {
  while (ends.size > 0) for (const name of [...ends.keys()]) await end(name)
  await Promise.all(all.splice(0))
  begun = []
  refused = []
})

test('whoever comes from another address is not behind one who floods', async () => {
  for (let at = 0; at < 12; at += 1) show('evil', `guess-${at}`)
  await settle()
  // One address never gets both slots.
  expect(begun).toEqual(['evil guess-0'])
  show('honest', 'web')
  await settle()
  expect(begun).toEqual(['evil guess-0', 'honest web'])
})

test('several floods leave one turn each before a newcomer', async () => {
  for (const address of ['evil-1', 'evil-2', 'evil-3'])
    for (let at = 0; at < 10; at += 1) show(address, `guess-${at}`)
  await settle()
  show('honest', 'web')
  await settle()
  expect(begun).toEqual(['evil-1 guess-0', 'evil-2 guess-0'])
  await end('evil-1 guess-0')
  await end('evil-2 guess-0')
  expect(begun.slice(2)).toEqual(['evil-3 guess-0', 'honest web'])
})

test('behind one address clients take turns', async () => {
  for (let at = 0; at < 5; at += 1) show('office', 'loud')
  show('office', 'web')
  await settle()
  expect(begun).toEqual(['office loud'])
  await end('office loud')
  expect(begun).toEqual(['office loud', 'office web'])
})

test('one address may have sixteen waiting; when the house is full, the busiest makes room', async () => {
  for (let at = 0; at < 20; at += 1) show('evil', `guess-${at}`)
  await settle()
  expect(refused).toEqual(
    [17, 18, 19].map(
      (at) =>
        `evil guess-${at}: The hub cannot respond right now: too many secrets of this address are being checked.`,
    ),
  )
  refused = []
  for (const address of ['b', 'c', 'd'])
    for (let at = 0; at < 17; at += 1) show(address, `guess-${at}`)
  await settle()
  refused = []
  show('honest', 'web')
  await settle()
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatch(/^\w+ guess-16: .* of this address/)
  expect(refused[0]).not.toContain('honest')
})

test('what fails gives its turn back', async () => {
  await expect(
    takeTurn({ address: 'a', clientId: 'x' }, () => Promise.reject(new Error('no memory'))),
  ).rejects.toThrow('no memory')
  await expect(takeTurn({ address: 'a', clientId: 'x' }, async () => 'in')).resolves.toBe('in')
})
