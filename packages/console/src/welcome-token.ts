/**
 * The token of a sign-in link. It comes in the fragment, which no server and no log sees; it is
 * removed from the URL at once, so that it does not stay in the history. This tab keeps it until it
 * is used, so that a reload does not lose it.
 */
const begin = '#/welcome/'
const name = 'dragoman:welcome'
let token: string | undefined

/** Runs before the router reads the URL. */
export function takeWelcomeToken(prefix: string): void {
  if (!location.hash.startsWith(begin)) return
  keepToken(location.hash.slice(begin.length))
  history.replaceState(null, '', `${prefix}/welcome`)
}

export function welcomeToken(): string | undefined {
  try {
    token ??= sessionStorage.getItem(name) ?? undefined
  } catch {
    // Storage is switched off: a reload needs the link again.
  }
  return token
}

/** Called once it has been used. */
export const forgetWelcomeToken = (): void => keepToken(undefined)

function keepToken(value: string | undefined): void {
  token = value
  try {
    if (value === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // Storage is switched off: there is nothing to remove.
  }
}
