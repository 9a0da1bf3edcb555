/**
 * Sign-in by the OpenID provider, as two navigations of the browser. What goes wrong is shown by
 * the sign-in page, which gets no more than the name of the trouble: a text in the URL could be
 * anybody's.
 */
import { HubError } from '@dragoman/contract'
import { beginOidc, endOidc, noteTrouble, oidcState } from '../../domain/people/oidc.ts'
import type { Hub } from '../../hub.ts'
import type { ConsoleHandlers } from './console-handlers.ts'
import { mustBeSafe } from './visit.ts'

const carriedSeconds = 600

export const oidcHandlers: Pick<ConsoleHandlers, 'findOidc' | 'startOidc' | 'returnOidc'> = {
  findOidc: (hub) => oidcState(hub),
  startOidc: (hub, _call, { query }, { publicUrl, visit }) =>
    orSignIn(hub, publicUrl, async () => {
      mustBeSafe(visit)
      const open = query.confirm ? await visit.openCall() : undefined
      const redirectUri = `${publicUrl}/console/api/oidc/return`
      const sessionId = open?.caller.person?.sessionId
      const { location, carried } = await beginOidc(hub, { redirectUri, to: query.to, sessionId })
      visit.oidc.write(carried, carriedSeconds)
      return location
    }),
  returnOidc: (hub, _call, { query }, { publicUrl, visit }) =>
    orSignIn(hub, publicUrl, async () => {
      mustBeSafe(visit)
      const carried = visit.oidc.read()
      visit.oidc.write(undefined)
      const { to, signedIn } = await endOidc(
        hub,
        { ...query, carried },
        visit,
        await visit.openCall(),
      )
      if (signedIn) visit.session.write(signedIn.token)
      return `${publicUrl}${to}`
    }),
}

async function orSignIn(
  hub: Hub,
  publicUrl: string,
  go: () => Promise<string>,
): Promise<{ location: string }> {
  try {
    return { location: await go() }
  } catch (error) {
    const isKnown = error instanceof HubError
    const [code, because] = isKnown
      ? [error.code, error.message]
      : ['SERVICE_UNAVAILABLE', 'the hub failed; its log says why.']
    noteTrouble(hub, because)
    if (isKnown) hub.log.warn({ code, because }, 'a sign-in by the OpenID provider failed')
    else hub.log.error({ err: error }, 'a sign-in by the OpenID provider failed')
    return { location: `${publicUrl}/signin?problem=${code}` }
  }
}
