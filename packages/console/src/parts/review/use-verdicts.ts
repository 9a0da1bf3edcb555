/**
 * Approves or rejects requests, with ten seconds to take each verdict back: nothing is sent before
 * they are over. Leaving the page sends what waits at once, so that a verdict is never lost.
 */
import { limits } from '@dragoman/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type CallName, call, HubFailure, isUnknown } from '../../hub.ts'

export const undoMs = 10_000
export type Verdict = 'approve' | 'reject'
export type Given = {
  readonly verdict: Verdict
  readonly requestIds: readonly string[]
  readonly note?: string
}
type Held = { readonly given: Given; readonly timer: ReturnType<typeof setTimeout> }

export type Verdicts = {
  /** What can be taken back, the last one given at the end. */
  readonly waiting: readonly Given[]
  /** What was sent last. */
  readonly sent: Given | undefined
  readonly failure: HubFailure | undefined
  readonly give: (given: Given) => void
  /** Takes back the last one; returns it, if there was one. */
  readonly undo: () => Given | undefined
  /** Sends at once what waits; resolves to whether the hub took it. */
  readonly send: () => Promise<boolean>
}

const changed: readonly CallName[] = [
  'findAssetTask',
  'listRequestSegments',
  'listWork',
  'countOpen',
  'listRequests',
  'findRequest',
  'findJob',
  'listTimeline',
  'findJobLanes',
]

/** `before` is awaited before a verdict is sent; if it fails, the verdict is not sent. */
export function useVerdicts(
  jobId: string,
  onSent?: () => void,
  before?: () => Promise<unknown>,
): Verdicts {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<readonly Given[]>([])
  const [sent, setSent] = useState<Given>()
  const [failure, setFailure] = useState<HubFailure>()
  const held = useRef<readonly Held[]>([])
  const told = useRef(onSent)
  told.current = onSent
  const first = useRef(before)
  first.current = before
  const hold = useCallback((next: readonly Held[]) => {
    held.current = next
    setWaiting(next.map(({ given }) => given))
  }, [])
  const sendSome = useCallback(
    async (some: readonly Held[], isLeaving = false): Promise<boolean> => {
      if (some.length === 0) return true
      hold(held.current.filter((one) => !some.includes(one)))
      for (const { timer } of some) clearTimeout(timer)
      try {
        // A page that is closed has no time to wait.
        if (!isLeaving) await first.current?.()
        for (const { given } of some) await sendOne(jobId, given)
      } catch (error) {
        setFailure(
          error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }),
        )
        return false
      } finally {
        for (const name of changed) void client.invalidateQueries({ queryKey: [name] })
      }
      setSent(some.at(-1)?.given)
      told.current?.()
      return true
    },
    [client, jobId, hold],
  )
  const send = useCallback(() => sendSome(held.current), [sendSome])
  const give = useCallback(
    (given: Given) => {
      setFailure(undefined)
      setSent(undefined)
      // The last word on a request counts.
      const isOver = ({ given: { requestIds } }: Held) =>
        requestIds.some((id) => given.requestIds.includes(id))
      const over = held.current.filter(isOver)
      for (const { timer } of over) clearTimeout(timer)
      const one: Held = { given, timer: setTimeout(() => void sendSome([one]), undoMs) }
      hold([...held.current.filter((other) => !over.includes(other)), one])
    },
    [hold, sendSome],
  )
  const undo = useCallback(() => {
    const last = held.current.at(-1)
    if (!last) return undefined
    clearTimeout(last.timer)
    hold(held.current.slice(0, -1))
    return last.given
  }, [hold])
  useEffect(() => {
    const leave = () => void sendSome(held.current, true)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      void send()
    }
  }, [send, sendSome])
  return { waiting, sent, failure, give, undo, send }
}

async function sendOne(jobId: string, { verdict, requestIds, note }: Given): Promise<void> {
  for (let from = 0; from < requestIds.length; from += limits.requestsPerCall) {
    const body = {
      requestIds: requestIds.slice(from, from + limits.requestsPerCall),
      ...(note && { note }),
    }
    const key = crypto.randomUUID()
    const make = () =>
      call(
        verdict === 'approve' ? 'approveRequests' : 'rejectRequests',
        { params: { jobId }, body },
        { keepalive: true, key },
      )
    // An answer that was lost is asked for again; the same verdict takes effect once.
    await make().catch((error: unknown) => (isUnknown(error) ? make() : Promise.reject(error)))
  }
}
