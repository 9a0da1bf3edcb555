/** Reads the console's event stream as a browser does. */
import type { StreamEvent, Topic } from '@dragoman/contract'

export type OpenedStream = {
  readonly status: number
  readonly headers: Headers
  /** All events so far. */
  readonly events: StreamEvent[]
  /** The last position. */
  position(): string
  /** Comments so far. */
  comments(): number
  /** Resolves with the first event, past or future, of this topic and id. */
  until(topic: Topic, id?: string): Promise<StreamEvent>
  /** Resolves when the hub has ended it. */
  readonly ended: Promise<void>
  close(): void
}

export async function openStream(
  url: string,
  options: { site?: string; after?: string; headers?: Record<string, string> } = {},
): Promise<OpenedStream> {
  const { site, after, headers = {} } = options
  const query = new URLSearchParams({ ...(site && { site }), ...(after && { after }) })
  const ending = new AbortController()
  const answer = await fetch(`${url}/console/stream?${query}`, { headers, signal: ending.signal })
  const events: StreamEvent[] = []
  const watchers = new Set<() => void>()
  let position = ''
  let comments = 0
  let ready: () => void = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const take = (block: string): void => {
    const lines = block.split('\n')
    const of = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    comments += lines.filter((line) => line.startsWith(':')).length
    position = of('id') ?? position
    const data = of('data')
    if (of('event') === 'ready') ready()
    else if (data !== undefined) events.push(JSON.parse(data) as StreamEvent)
    for (const watcher of watchers) watcher()
  }
  const read = async (): Promise<void> => {
    let text = ''
    for await (const bytes of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += bytes
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        take(text.slice(0, at))
        text = text.slice(at + 2)
      }
    }
  }
  const ended = answer.ok ? read().catch(() => {}) : answer.body?.cancel().catch(() => {})
  if (answer.ok) await Promise.race([isReady, ended])
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    position: () => position,
    comments: () => comments,
    until: (topic, id) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(
            (event) => event.topic === topic && (id === undefined || event.id === id),
          )
          if (!found) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
    ended: Promise.resolve(ended),
    close: () => ending.abort(),
  }
}
