/**
 * Whose secret is hashed next. A hash costs a core for a tenth of a second, so only two run at once, one for each address, and
 * addresses take turns, as do the clients of one address: whoever floods the hub with guesses stands in a line of their
 * own. Who exists makes no difference here. A full house turns away the address that has the most waiting.
 */
import { HubError } from '@dragoman/contract'

/** Who shows a secret; `address` as guesses are counted by. */
export type Shower = { readonly clientId: string; readonly address: string }

/** Of this process, not of the hub: they guard the processor and memory that this process has. */
const atOnce = 2
const mayWait = 64
const mayWaitOfAddress = 16

type Waiter = { readonly go: () => void; readonly turnAway: (why: HubError) => void }
/** By client; the one at the front has its turn next. */
type Queue = { running: boolean; count: number; readonly clients: Map<string, Waiter[]> }

/** The address at the front has its turn next. */
const lines = new Map<string, Queue>()
let running = 0
let waiting = 0

export async function takeTurn<T>(who: Shower, work: () => Promise<T>): Promise<T> {
  await myTurn(who)
  try {
    return await work()
  } finally {
    running -= 1
    endTurn(who)
    callNext()
  }
}

function myTurn({ address, clientId }: Shower): Promise<void> {
  return new Promise((go, turnAway) => {
    const line = lines.get(address) ?? { running: false, count: 0, clients: new Map() }
    if (line.count >= mayWaitOfAddress) return turnAway(tooMany('secrets of this address'))
    if (waiting >= mayWait && !makeRoom(line.count)) return turnAway(tooMany('secrets'))
    lines.set(address, line)
    line.clients.set(clientId, [...(line.clients.get(clientId) ?? []), { go, turnAway }])
    line.count += 1
    waiting += 1
    callNext()
  })
}

/** Whoever has had a turn goes to the end, the address among addresses and the client among its clients. */
function endTurn({ address, clientId }: Shower): void {
  const line = lines.get(address)
  lines.delete(address)
  if (!line || line.count === 0) return
  line.running = false
  lines.set(address, line)
  const more = line.clients.get(clientId)
  line.clients.delete(clientId)
  if (more) line.clients.set(clientId, more)
}

function callNext(): void {
  for (const line of lines.values()) {
    if (running >= atOnce) return
    if (line.running || line.count === 0) continue
    const [clientId, waiters] = [...line.clients][0] ?? ['', []]
    const [next, ...rest] = waiters
    line.clients.delete(clientId)
    if (rest.length > 0) line.clients.set(clientId, rest)
    line.count -= 1
    line.running = true
    waiting -= 1
    running += 1
    next?.go()
  }
}

/** Turns away the last of the address with the most waiting, if that has more than whoever comes. */
function makeRoom(ownCount: number): boolean {
  const [busiest] = [...lines.values()].sort((one, other) => other.count - one.count)
  if (!busiest || busiest.count <= ownCount + 1) return false
  const [clientId, waiters] = [...busiest.clients].at(-1) ?? ['', []]
  const last = waiters.at(-1)
  if (waiters.length > 1) busiest.clients.set(clientId, waiters.slice(0, -1))
  else busiest.clients.delete(clientId)
  busiest.count -= 1
  waiting -= 1
  last?.turnAway(tooMany('secrets of this address'))
  return true
}

const tooMany = (what: string): HubError =>
  new HubError('SERVICE_UNAVAILABLE', { because: `too many ${what} are being checked.` }, { retryAfter: 2 })
