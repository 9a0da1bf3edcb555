/**
 * The token of a sign-in link. It comes in the fragment, which no server and no log sees; it is taken out of the address at
 * once, so that it does not stay in the history, and kept in memory only.
 */
const begin = '#/welcome/'
let token: string | undefined

/** Before the router reads the address. */
export function takeWelcomeToken(prefix: string): void {
  if (!location.hash.startsWith(begin)) return
  token = location.hash.slice(begin.length)
  history.replaceState(null, '', `${prefix}/welcome`)
}

export const welcomeToken = (): string | undefined => token
