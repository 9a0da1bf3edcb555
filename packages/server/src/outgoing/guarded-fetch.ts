/**
 * `fetch` for the client of another hub: every address is checked as in post.ts, in the URL and
 * again after the lookup, and redirects are given to the caller, never followed.
 */
import type { Hub } from '../hub.ts'
import { version } from '../process/version.ts'
import { agentOf, explain, forbiddenBecause } from './post.ts'

export function guardedFetch(hub: Hub): typeof globalThis.fetch {
  return async (input, init) => {
    const url = String(input)
    const because = forbiddenBecause(hub, url)
    if (because) throw new Error(`The call was not made: ${because}`)
    const headers = new Headers(init?.headers)
    headers.set('user-agent', `Dragoman/${version}`)
    // The option that Node's fetch has beyond the standard.
    const more = { dispatcher: await agentOf(hub) } as object
    try {
      return await globalThis.fetch(url, { ...init, headers, redirect: 'manual', ...more })
    } catch (error) {
      if (error instanceof Error && error.name !== 'TypeError') throw error
      throw new Error(explain((error as Error).cause ?? error))
    }
  }
}
