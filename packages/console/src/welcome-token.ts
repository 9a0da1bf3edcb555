/**
 * The token of a sign-in link. It comes in the fragment, which no server and no log sees; it is taken out of the address at
 * once, so that it does not stay in the history. This tab keeps it until it is used, so that a reload does not lose it.
 */
const begin = '#/welcome/'
const name = 'dragoman:welcome'
let token: string | undefined

/** Before the router reads the address. */
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

/** It was used. */
export const forgetWelcomeToken = (): void => keepToken(undefined)

function keepToken(value: string | undefined): void {
  token = value
  try {
    if (value === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, value)
  } catch {
    // The same.
  }
}
