/**
 * What failed because the hub was away, or refused calls for a while, is tried again without a
 * click.
 */
import { useEffect, useRef, useState } from 'react'
import type { HubFailure } from '../hub.ts'
import { prefix } from '../page-facts.ts'

const lookMs = 3_000
/** If a refusal does not say when to try again. */
const usualWaitSeconds = 5

/**
 * No answer, or that of a proxy whose hub is away. A hub that says itself why it is unavailable is
 * quoted instead.
 */
export const isOfAway = ({ status, message }: HubFailure): boolean =>
  status === 0 || status === 502 || status === 504 || (status === 503 && message === '')

/** Whether the hub answers. This call is not counted by the limit of calls. */
export const isHubThere = (): Promise<boolean> =>
  fetch(`${prefix}/healthz`, { cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Calls `act` once the hub answers again. */
export function useHubBack(isAway: boolean, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!isAway) return
    let isLeft = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      const isThere = await isHubThere()
      if (isLeft) return
      if (isThere) latest.current()
      // Also after `act`: the hub may have gone again meanwhile, and then this view stays.
      timer = setTimeout(() => void look(), lookMs)
    }
    const lookNow = () => {
      clearTimeout(timer)
      void look()
    }
    timer = setTimeout(() => void look(), lookMs)
    addEventListener('online', lookNow)
    return () => {
      isLeft = true
      clearTimeout(timer)
      removeEventListener('online', lookNow)
    }
  }, [isAway])
}

/** How many seconds a refusal still lasts; then calls `act`. */
export function useCountdown(refusal: HubFailure | undefined, act: () => void): number | undefined {
  const seconds = refusal && (refusal.retryAfter ?? usualWaitSeconds)
  const [left, setLeft] = useState(seconds)
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!refusal) return
    const until = performance.now() + (refusal.retryAfter ?? usualWaitSeconds) * 1_000
    const count = (): void => {
      const now = Math.max(0, Math.ceil((until - performance.now()) / 1_000))
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      latest.current()
    }
    const timer = setInterval(count, 1_000)
    return () => clearInterval(timer)
  }, [refusal])
  return seconds && Math.min(left ?? seconds, seconds)
}
