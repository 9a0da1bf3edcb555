/**
 * Approves or rejects a request, with ten seconds to take it back: nothing is sent before they are over. Leaving the page sends it at
 * once, so that a verdict is never lost.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, HubFailure, isUnknown } from '../../../hub.ts'

export const undoMs = 10_000
export type Verdict = 'approve' | 'reject'

type Waiting = { readonly verdict: Verdict; readonly timer: ReturnType<typeof setTimeout> }
type Given = {
  readonly waiting: Verdict | undefined
  readonly failure: HubFailure | undefined
  readonly give: (verdict: Verdict) => void
  readonly undo: () => boolean
  /** Sends at once what waits. */
  readonly send: () => Promise<boolean>
}

export function useVerdict(jobId: string, requestId: string, onSent: () => void): Given {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<Verdict>()
  const [failure, setFailure] = useState<HubFailure>()
  const held = useRef<Waiting>(undefined)
  const sent = useRef(onSent)
  sent.current = onSent
  const send = useCallback(async (): Promise<boolean> => {
    const now = held.current
    if (!now) return true
    held.current = undefined
    clearTimeout(now.timer)
    setWaiting(undefined)
    const name = now.verdict === 'approve' ? 'approveRequests' : 'rejectRequests'
    const input = { params: { jobId }, body: { requestIds: [requestId] } }
    const key = crypto.randomUUID()
    const make = () => call(name, input, { keepalive: true, key })
    try {
      // An answer that was lost is asked for again; the same verdict takes effect once.
      await make().catch((error: unknown) => (isUnknown(error) ? make() : Promise.reject(error)))
    } catch (error) {
      setFailure(error instanceof HubFailure ? error : new HubFailure(0, { message: String(error) }))
      return false
    }
    for (const changed of ['findAssetTask', 'listRequestSegments', 'listWork', 'countOpen'])
      void client.invalidateQueries({ queryKey: [changed] })
    sent.current()
    return true
  }, [client, jobId, requestId])
  const give = useCallback(
    (verdict: Verdict) => {
      clearTimeout(held.current?.timer)
      setFailure(undefined)
      held.current = { verdict, timer: setTimeout(() => void send(), undoMs) }
      setWaiting(verdict)
    },
    [send],
  )
  const undo = useCallback(() => {
    if (!held.current) return false
    clearTimeout(held.current.timer)
    held.current = undefined
    setWaiting(undefined)
    return true
  }, [])
  useEffect(() => {
    const leave = () => void send()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [send])
  return { waiting, failure, give, undo, send }
}
