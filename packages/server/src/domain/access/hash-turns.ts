/**
 * Decides whose secret is hashed next. A hash takes a core for a tenth of a second, so only two run
 * at once and only one per address. Addresses take turns, and so do the clients of one address, so
 * a flood of guesses from one address delays only itself. Existing and unknown clients are treated
 * the same. When the queue is full, the address with the most waiting calls is refused.
 */
import { HubError } from '@dragoman/contract'

/** Who presents a secret. `address` is the one guesses are counted by. */
export type SecretHolder = { readonly clientId: string; readonly address: string }

/** Per process, not per hub: these limits protect the processor and memory of this process. */
const maxRunning = 2
const maxWaiting = 64
const maxWaitingPerAddress = 16

type Waiter = { readonly start: () => void; readonly refuse: (why: HubError) => void }
/** Waiting calls by client. The first client is next. */
type Queue = { running: boolean; count: number; readonly clients: Map<string, Waiter[]> }

/** Queues by address. The first address is next. */
const queues = new Map<string, Queue>()
let running = 0
let waiting = 0

export async function takeTurn<T>(who: SecretHolder, work: () => Promise<T>): Promise<T> {
  await myTurn(who)
  try {
    return await work()
  } finally {
    running -= 1
    endTurn(who)
    callNext()
  }
}

function myTurn({ address, clientId }: SecretHolder): Promise<void> {
  return new Promise((start, refuse) => {
    const queue = queues.get(address) ?? { running: false, count: 0, clients: new Map() }
    if (queue.count >= maxWaitingPerAddress) return refuse(tooMany('secrets of this address'))
    if (waiting >= maxWaiting && !makeRoom(queue.count)) return refuse(tooMany('secrets'))
    queues.set(address, queue)
    queue.clients.set(clientId, [...(queue.clients.get(clientId) ?? []), { start, refuse }])
    queue.count += 1
    waiting += 1
    callNext()
  })
}

/**
 * After its turn, the address moves to the end of all addresses, and the client to the end of its
 * address.
 */
function endTurn({ address, clientId }: SecretHolder): void {
  const queue = queues.get(address)
  queues.delete(address)
  if (!queue || queue.count === 0) return
  queue.running = false
  queues.set(address, queue)
  const more = queue.clients.get(clientId)
  queue.clients.delete(clientId)
  if (more) queue.clients.set(clientId, more)
}

function callNext(): void {
  for (const queue of queues.values()) {
    if (running >= maxRunning) return
    if (queue.running || queue.count === 0) continue
    const [clientId, waiters] = [...queue.clients][0] ?? ['', []]
    const [next, ...rest] = waiters
    queue.clients.delete(clientId)
    if (rest.length > 0) queue.clients.set(clientId, rest)
    queue.count -= 1
    queue.running = true
    waiting -= 1
    running += 1
    next?.start()
  }
}

/**
 * Refuses the last waiting call of the busiest address, if that address has more waiting than the
 * new caller's.
 */
function makeRoom(ownCount: number): boolean {
  const [busiest] = [...queues.values()].sort((one, other) => other.count - one.count)
  if (!busiest || busiest.count <= ownCount + 1) return false
  const [clientId, waiters] = [...busiest.clients].at(-1) ?? ['', []]
  const last = waiters.at(-1)
  if (waiters.length > 1) busiest.clients.set(clientId, waiters.slice(0, -1))
  else busiest.clients.delete(clientId)
  busiest.count -= 1
  waiting -= 1
  last?.refuse(tooMany('secrets of this address'))
  return true
}

const tooMany = (what: string): HubError =>
  new HubError(
    'SERVICE_UNAVAILABLE',
    { because: `too many ${what} are being checked.` },
    { retryAfter: 2 },
  )
