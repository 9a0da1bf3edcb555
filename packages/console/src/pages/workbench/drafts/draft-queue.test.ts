/** The queue of drafts: against a hub in memory and a clock that the test moves. */
import type { Segment, TextParts } from '@dragoman/contract/wire'
import { describe, expect, it } from 'vitest'
import type { DraftChange, Failure, Saving, StoredDraft } from './draft-ports.ts'
import { type DraftQueue, openDraftQueue, restMs } from './draft-queue.ts'

type QueueCase = {
  readonly version: number
  readonly target?: TextParts
  readonly state: Segment['state']
}
const segmentOf = (segmentId: string, { version, target, state }: QueueCase): Segment => ({
  segmentId,
  position: 1,
  source: ['Source'],
  tags: [],
  ...(target && { target }),
  state,
  version,
  checks: [],
})

/** Refuses an old version as the hub does: the whole call, with the first one in question. */
function openHub() {
  const rows = new Map<string, QueueCase>()
  const find = (id: string) => rows.get(id) ?? { version: 0, state: 'NEW' as const }
  return {
    find,
    read: (id: string) => segmentOf(id, find(id)),
    put(changes: readonly DraftChange[]): Segment[] {
      for (const { segmentId, version } of changes)
        if (version !== find(segmentId).version) {
          const current = segmentOf(segmentId, find(segmentId))
          throw { status: 409, code: 'VERSION_CONFLICT', current } satisfies Failure
        }
      return changes.map(({ segmentId, version, target, state }) => {
        rows.set(segmentId, { version: version + 1, target, state })
        return segmentOf(segmentId, find(segmentId))
      })
    },
  }
}
type Hub = ReturnType<typeof openHub>
type Tab = {
  readonly storage: Map<string, StoredDraft>
  readonly calls: string[][]
  wire: 'up' | 'down' | 'loses answers'
  /** Runs before the hub sees the call. */
  before: () => Promise<void>
  /** The segment that the hub refuses, for a reason that does not pass. */
  refuses: string
  hasRoom: boolean
  leaving: number
  pass(ms: number): Promise<void>
  /** Until nothing more happens without the clock. */
  settle(): Promise<void>
  readonly queue: DraftQueue
  type(id: string, text: string, seen?: Segment): void
  saving(id: string): Saving | undefined
}

/** A tab: its queue, its clock, its part of the browser's storage, and each call that it made. */
function openTab(hub: Hub, storage = new Map<string, StoredDraft>()): Tab {
  let timers: { readonly at: number; readonly act: () => void }[] = []
  let now = 0
  const tab: Tab = {
    storage,
    calls: [],
    wire: 'up',
    before: async () => {},
    refuses: '',
    hasRoom: true,
    leaving: 0,
    async pass(ms: number) {
      now += ms
      const ripe = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { act } of ripe) act()
      await tab.settle()
    },
    async settle() {
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
    },
    queue: openDraftQueue({
      async send(some, isLeaving) {
        tab.calls.push(some.map(({ segmentId, target }) => `${segmentId} ${target.join('')}`))
        if (isLeaving) tab.leaving += 1
        await tab.before()
        if (tab.wire === 'down') throw { status: 0, code: 'UNREACHABLE' } satisfies Failure
        if (some.some(({ segmentId }) => segmentId === tab.refuses))
          throw { status: 409, code: 'ALREADY_CLAIMED' } satisfies Failure
        const answers = hub.put(some)
        if (tab.wire === 'loses answers') throw { status: 0, code: 'UNREACHABLE' } satisfies Failure
        return answers
      },
      store(draft) {
        if (tab.hasRoom) storage.set(draft.segmentId, structuredClone(draft))
        return tab.hasRoom
      },
      forget: (segmentId) => void storage.delete(segmentId),
      after(ms, act) {
        const timer = { at: now + ms, act }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
      now: () => now,
      changed() {},
    }),
    type: (id: string, text: string, seen = hub.read(id)) =>
      tab.queue.write(seen, { target: [text], state: 'DRAFT' }),
    saving: (id: string) => tab.queue.of(id)?.saving,
  }
  return tab
}

describe('drafts', () => {
  it('saves also after it was asked to while nothing waited', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    await tab.queue.flush()
    tab.type('a', 'Eins')
    await tab.pass(restMs)
    expect([tab.saving('a'), hub.find('a').version]).toEqual(['saved', 1])
  })

  it('are sent 800 ms after the last key, once, and told as saved when the hub has answered', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.type('a', 'W')
    await tab.pass(restMs - 1)
    tab.type('a', 'Wa')
    await tab.pass(restMs - 1)
    expect([tab.calls, tab.saving('a'), tab.queue.open()]).toEqual([[], 'waiting', 1])
    await tab.pass(1)
    expect([tab.calls, tab.saving('a'), tab.queue.open()]).toEqual([[['a Wa']], 'saved', 0])
    expect([hub.find('a').version, tab.queue.savedAt(), tab.storage.size]).toEqual([
      1,
      2 * restMs - 1,
      0,
    ])
  })

  it('of several segments go in one call, one call at a time', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    for (const id of ['a', 'b', 'c']) tab.type(id, id)
    let running = 0
    tab.before = async () => {
      running += 1
      expect(running).toBe(1)
      tab.type('a', 'typed while saving')
      tab.before = async () => {}
      await Promise.resolve()
      running -= 1
    }
    await tab.queue.flush()
    expect([tab.calls, tab.saving('a'), tab.saving('b')]).toEqual([
      [['a a', 'b b', 'c c']],
      'waiting',
      'saved',
    ])
    await tab.pass(restMs)
    expect([tab.calls[1], tab.saving('a'), hub.find('a').version]).toEqual([
      ['a typed while saving'],
      'saved',
      2,
    ])
  })

  it('of many segments are cut into calls that the hub takes', async () => {
    const tab = openTab(openHub())
    for (let at = 0; at < 1_001; at += 1) tab.type(`s${at}`, 'x')
    await tab.queue.flush()
    expect(tab.calls.map(({ length }) => length)).toEqual([500, 500, 1])
  })

  it('of two tabs meet: both stay until the person chooses, and the others of the call are saved', async () => {
    const hub = openHub()
    const [one, other] = [openTab(hub), openTab(hub)]
    const seen = hub.read('a')
    one.type('a', 'first', seen)
    await one.queue.flush()
    other.type('b', 'beside')
    other.type('a', 'second', seen)
    await other.queue.flush()
    expect([other.saving('a'), other.saving('b')]).toEqual(['conflict', 'saved'])
    expect(other.queue.of('a')).toMatchObject({
      target: ['second'],
      theirs: { target: ['first'], version: 1 },
    })
    expect(hub.find('a').target).toEqual(['first'])
    expect(other.storage.get('a')?.target).toEqual(['second'])
    other.queue.choose('a', 'mine')
    await other.settle()
    expect([other.saving('a'), hub.find('a')]).toEqual([
      'saved',
      { version: 2, target: ['second'], state: 'DRAFT' },
    ])
    one.type('a', 'third', seen)
    await one.queue.flush()
    expect(one.saving('a')).toBe('conflict')
    one.queue.choose('a', 'theirs')
    expect(one.queue.of('a')).toEqual({ saving: 'saved', target: ['second'] })
    expect([one.storage.size, hub.find('a').version]).toEqual([0, 2])
  })

  it('are not based on a version that the list read and the person did not see', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.type('a', 'mine')
    await tab.queue.flush()
    hub.put([{ segmentId: 'a', version: 1, target: ['theirs'], state: 'DRAFT' }])
    tab.type('a', 'mine, longer')
    await tab.queue.flush()
    expect([tab.saving('a'), hub.find('a').target]).toEqual(['conflict', ['theirs']])
  })

  it('are based on what was shown', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.type('a', 'mine')
    expect(tab.queue.show(hub.read('a')).target).toEqual(['mine'])
    await tab.queue.flush()
    const stale = segmentOf('a', { version: 0, state: 'NEW' })
    expect(tab.queue.show(stale)).toMatchObject({ target: ['mine'], version: 1 })
    hub.put([{ segmentId: 'a', version: 1, target: ['theirs'], state: 'DRAFT' }])
    const seen = tab.queue.show(hub.read('a'))
    expect(seen.target).toEqual(['theirs'])
    tab.type('a', 'theirs, mended', seen)
    await tab.queue.flush()
    expect([tab.saving('a'), hub.find('a').target]).toEqual(['saved', ['theirs, mended']])
  })

  it('wait in the browser while the hub is away, and are sent when it is back', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.wire = 'down'
    tab.type('a', 'offline')
    await tab.pass(restMs)
    expect([tab.saving('a'), tab.storage.get('a')?.target]).toEqual(['offline', ['offline']])
    await tab.pass(1_000)
    await tab.pass(1_999)
    expect(tab.calls.length).toBe(2)
    tab.wire = 'up'
    await tab.pass(1)
    expect([tab.saving('a'), hub.find('a').target, tab.storage.size]).toEqual([
      'saved',
      ['offline'],
      0,
    ])
  })

  it('are sent after the page was loaded again, with the version that they are based on', async () => {
    const hub = openHub()
    const first = openTab(hub)
    first.wire = 'down'
    first.type('a', 'kept')
    first.type('b', 'kept, too')
    await first.queue.flush()
    hub.put([{ segmentId: 'b', version: 0, target: ['theirs'], state: 'DRAFT' }])
    const again = openTab(hub, first.storage)
    again.queue.adopt([...first.storage.values()])
    await again.settle()
    expect([again.saving('a'), hub.find('a').target]).toEqual(['saved', ['kept']])
    expect([again.saving('b'), hub.find('b').target]).toEqual(['conflict', ['theirs']])
  })

  it('whose answer was lost are found at the hub: no conflict with oneself', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.wire = 'loses answers'
    tab.type('a', 'written')
    await tab.pass(restMs)
    expect([tab.saving('a'), hub.find('a').version]).toEqual(['offline', 1])
    tab.wire = 'up'
    tab.type('a', 'written on')
    const again = openTab(hub, tab.storage)
    again.queue.adopt([...tab.storage.values()])
    await again.settle()
    expect([again.saving('a'), hub.find('a')]).toMatchObject([
      'saved',
      { version: 2, target: ['written on'] },
    ])
    await tab.pass(restMs)
    expect(tab.saving('a')).toBe('saved')
  })

  it('that the hub refuses stay, do not hold up others, and are tried again with the next change', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    tab.refuses = 'a'
    tab.type('a', 'refused')
    tab.type('b', 'fine')
    await tab.queue.flush()
    expect([tab.queue.of('a'), tab.saving('b')]).toMatchObject([
      { saving: 'offline', target: ['refused'], failure: { code: 'ALREADY_CLAIMED' } },
      'saved',
    ])
    expect(tab.storage.has('a')).toBe(true)
    const { length } = tab.calls
    await tab.pass(60_000)
    expect(tab.calls.length).toBe(length)
    tab.refuses = ''
    tab.type('a', 'again')
    await tab.pass(restMs)
    expect([tab.queue.of('a'), hub.find('a').target]).toEqual([
      { saving: 'saved', target: ['again'] },
      ['again'],
    ])
  })

  it('leave with the page, beside a call that is under way', async () => {
    const hub = openHub()
    const tab = openTab(hub)
    let go = () => {}
    tab.before = () =>
      new Promise<void>((resolve) => {
        go = resolve
        tab.before = async () => {}
      })
    tab.type('a', 'under way')
    void tab.queue.flush()
    await tab.settle()
    tab.type('b', 'not yet')
    tab.queue.leave()
    await tab.settle()
    expect([tab.calls, tab.leaving, hub.find('b').target]).toEqual([
      [['a under way'], ['b not yet']],
      1,
      ['not yet'],
    ])
    go()
    await tab.settle()
    expect(tab.queue.open()).toBe(0)
  })

  it('are at risk only if the browser has no room for them', async () => {
    const tab = openTab(openHub())
    tab.type('a', 'x')
    expect(tab.queue.isAtRisk()).toBe(false)
    tab.hasRoom = false
    tab.type('b', 'y')
    expect(tab.queue.isAtRisk()).toBe(true)
    await tab.queue.flush()
    expect(tab.queue.isAtRisk()).toBe(false)
  })
})
