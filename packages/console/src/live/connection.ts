/**
 * The event stream of this browser. It is reopened whenever it breaks, from its last position;
 * after two failures in a row pages poll until it is back.
 */
import type { StreamEvent } from '@dragoman/contract/wire'

export type StreamState = 'live' | 'broken' | 'polling'
export type ConnectionEvents = {
  /** What changed, and the position after it. */
  events(events: readonly StreamEvent[], at: string): void
  state(state: StreamState): void
}

const waits = [500, 2_000, 5_000]

/** Opens the stream after this position; returns how to close it. */
export function openConnection(
  urlAfter: (position: string) => string,
  position: string,
  told: ConnectionEvents,
): () => void {
  let at = position
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | undefined
  const open = (): void => {
    const mine = new EventSource(urlAfter(at))
    source = mine
    const heard = (event: MessageEvent<string>, events: readonly StreamEvent[]): void => {
      at = event.lastEventId || at
      told.events(events, at)
    }
    mine.addEventListener('ready', (event) => {
      failures = 0
      heard(event, [])
      told.state('live')
    })
    mine.onmessage = (event: MessageEvent<string>) =>
      heard(event, [JSON.parse(event.data) as StreamEvent])
    // Reopened by us, because the browser gives up after a refusal and waits too long after a
    // break.
    mine.onerror = () => {
      mine.close()
      failures += 1
      told.state(failures < 2 ? 'broken' : 'polling')
      timer = setTimeout(open, waits[Math.min(failures, waits.length) - 1])
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
