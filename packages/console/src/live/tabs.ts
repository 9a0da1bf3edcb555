/**
 * One event stream per browser: HTTP/1.1 allows six connections to a host, so six tabs with one
 * stream each would block the seventh call. One tab leads: it holds a browser lock and forwards the
 * events to the others. When it closes, the lock passes to another. A visible tab that hears
 * nothing from its leader takes the lock, because a phone freezes background tabs.
 */
import type { StreamEvent } from '@dragoman/contract/wire'
import { type ConnectionEvents, openConnection, type StreamState } from './connection.ts'

type Message =
  | { readonly kind: 'events'; readonly events: readonly StreamEvent[]; readonly at: string }
  | { readonly kind: 'state'; readonly state: StreamState; readonly at: string }
  | { readonly kind: 'hello' }

/** How long a leader may take to respond. */
const answerMs = 3_000

type Followed = {
  readonly name: string
  /** The position from which a tab that leads begins. */
  readonly from: string
  readonly urlAfter: (position: string) => string
}
type Told = Pick<ConnectionEvents, 'events'> & {
  /** `isOwn`: this tab leads, so that it hears all since `from`. */
  state(state: StreamState, isOwn: boolean): void
}

/** Follows the stream of this name until the returned function is called. */
export function followStream({ name, from, urlAfter }: Followed, told: Told): () => void {
  const channel = new BroadcastChannel(name)
  const ended = new AbortController()
  let at = from
  let state: StreamState | undefined
  let close: (() => void) | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const take = (message: Message): void => {
    if (message.kind === 'hello') return
    at = message.at || at
    if (message.kind === 'events') told.events(message.events, at)
    else if (message.state !== state) {
      state = message.state
      told.state(state, close !== undefined)
    }
  }
  const share = (message: Message): void => {
    take(message)
    channel.postMessage(message)
  }
  const lead = (): void => {
    close = openConnection(urlAfter, at, {
      events: (events, position) => share({ kind: 'events', events, at: position }),
      state: (now) => share({ kind: 'state', state: now, at }),
    })
  }
  const follow = (): void => {
    close?.()
    close = undefined
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    clearTimeout(silence)
    if (data.kind !== 'hello') take(data)
    else if (close)
      channel.postMessage({ kind: 'state', state: state ?? 'broken', at } satisfies Message)
  }

  /** Leads while it holds the lock; waits for it again if another tab took it. */
  const compete = (steal: boolean): void => {
    const held = () =>
      new Promise<void>((release) => {
        if (ended.signal.aborted) return release()
        lead()
        ended.signal.addEventListener('abort', () => release())
      })
    navigator.locks.request(name, steal ? { steal } : { signal: ended.signal }, held).catch(() => {
      follow()
      if (!ended.signal.aborted) compete(false)
    })
  }
  const onShow = (): void => {
    if (document.visibilityState !== 'visible' || close) return
    channel.postMessage({ kind: 'hello' } satisfies Message)
    clearTimeout(silence)
    silence = setTimeout(() => {
      if (!close) compete(true)
    }, answerMs)
  }
  /**
   * Without locks (plain http on a host other than localhost), each tab has its own stream while it
   * is visible.
   */
  const alone = (): void => {
    follow()
    if (document.visibilityState === 'visible') lead()
  }

  const hasLocks = 'locks' in navigator
  const onVisible = hasLocks ? onShow : alone
  document.addEventListener('visibilitychange', onVisible)
  if (hasLocks) compete(false)
  onVisible()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    clearTimeout(silence)
    ended.abort()
    follow()
    channel.close()
  }
}
