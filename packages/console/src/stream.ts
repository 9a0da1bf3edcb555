/** What is new at the hub. Until the stream is there, pages read again every few seconds. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CallName } from './hub.ts'

const pollMs = 5_000

export type Liveness = { readonly isLive: boolean; readonly since: number | undefined }

/** Reads these calls again when what they show has changed. */
export function useLive(...calls: readonly CallName[]): Liveness {
  const client = useQueryClient()
  const names = calls.join()
  useEffect(() => {
    const timer = setInterval(() => {
      for (const name of names.split(',')) void client.invalidateQueries({ queryKey: [name] })
    }, pollMs)
    return () => clearInterval(timer)
  }, [client, names])
  return { isLive: true, since: undefined }
}
