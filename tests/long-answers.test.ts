/** Long answers of other services are read and parsed in a few places, short ones at once. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../packages/sdk/src/bounded.ts'
import { enterLong } from '../packages/server/src/outgoing/long-answers.ts'
import { startHub } from './hub.ts'

const KiB = 1024
const most = 1024 * KiB
const where = 'https://hub.example'

/** An answer in pieces of 64 KiB, which says how many of them were read. */
function answerOf(kilobytes: number, last = ']') {
  let pieces = 0
  const bytes = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (to) => {
        pieces += 1
        const isLast = pieces * 64 >= kilobytes
        to.enqueue(bytes.encode(`${pieces === 1 ? '[' : ''}${' '.repeat(64 * KiB)}`))
        if (!isLast) return
        to.enqueue(bytes.encode(last))
        to.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { answer: new Response(body), read: () => pieces }
}

describe('an answer', () => {
  const outcomes: [string, ReturnType<typeof answerOf>, boolean][] = [
    ['that is short takes no place', answerOf(60), false],
    ['that is long takes one and gives it back', answerOf(512), true],
    ['that is too long gives its place back', answerOf(2_048), true],
    ['that is no JSON gives its place back', answerOf(512, ''), true],
  ]
  it.each(outcomes)('%s', async (_, { answer }, takes) => {
    const places: string[] = []
    const longAnswers = async () => {
      places.push('taken')
      return () => void places.push('left')
    }
    await readJson(answer, { most, where, longAnswers }).catch(() => {})
    expect(places).toEqual(takes ? ['taken', 'left'] : [])
  })

  it('waits for its place without being read on', async () => {
    let enter = (_: () => void): void => {}
    const { answer, read } = answerOf(512)
    const waited = new Promise<() => void>((resolve) => {
      enter = resolve
    })
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const longAnswers = () => {
      asked()
      return waited
    }
    const value = readJson(answer, { most, where, longAnswers })
    await isAsked
    expect(read()).toBeLessThanOrEqual(3)
    enter(() => {})
    expect(await value).toEqual([])
    expect(read()).toBe(8)
  })

  it('that finds no place is the fault of nobody, and is read again later', async () => {
    const longAnswers = () => Promise.reject(new Error('Other long answers are read first.'))
    await expect(readJson(answerOf(512).answer, { most, where, longAnswers })).rejects.toThrow(
      /cannot be reached: Other long answers are read first/,
    )
  })
})

it('one site has one place, and another one a second', async () => {
  const hub = await startHub({ database: 'sqlite' })
  try {
    const entered: string[] = []
    const enter = async (siteId: string) => {
      const leave = await enterLong(hub.inner, siteId)
      entered.push(siteId)
      return leave
    }
    const first = await enter('one')
    const second = enter('one')
    const other = await enter('two')
    expect(entered).toEqual(['one', 'two'])
    first()
    ;(await second)()
    other()
    expect(entered).toEqual(['one', 'two', 'one'])
  } finally {
    await hub.close()
  }
})
