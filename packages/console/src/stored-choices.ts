/** Small choices of the person that this browser stores: theme, language, site, saved filters. */
const nameOf = (name: string): string => `dragoman:${name}`

export function storedChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(name)) ?? undefined
  } catch {
    return undefined
  }
}

export function storeChoice(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(nameOf(name))
    else localStorage.setItem(nameOf(name), value)
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
}
