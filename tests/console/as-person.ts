/** Calls of the console's API as its own page makes them: for the person that the sandbox signs in. */
import type { Answer, TestHub } from '../hub.ts'

export type AsPerson = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<Answer<T>>

export const asPerson =
  (hub: TestHub): AsPerson =>
  async (method, path, body) => {
    const ours = { 'sec-fetch-site': 'same-origin' }
    const { body: session } = await hub.call<{ csrf: string }>('GET', '/console/api/session', { headers: ours })
    return hub.call(method, `/console/api${path}`, {
      headers: { ...ours, 'content-type': 'application/json', 'x-dragoman-csrf': session.csrf },
      ...(body !== undefined && { body }),
    })
  }
