/** A call as the console makes it: below /console/api, with the session of the sandbox. */
import type { Answer, TestHub } from '../hub.ts'

const ours = { 'sec-fetch-site': 'same-origin' }

export async function atConsole<T = Record<string, unknown>>(
  hub: TestHub,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> {
  const session = await hub.call<{ csrf: string }>('GET', '/console/api/session', { headers: ours })
  const cookie = session.headers.get('set-cookie')?.split(';')[0]
  return hub.call<T>(method, `/console/api${path}`, {
    ...(body !== undefined && { body }),
    headers: {
      ...ours,
      'content-type': 'application/json',
      'x-dragoman-csrf': session.body.csrf,
      ...(cookie && { cookie }),
    },
  })
}
