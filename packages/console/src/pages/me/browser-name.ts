/** A short name of the browser and its system; the full text is in the tooltip. */
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'CrOS', 'Linux'] as const

export function browserOf(userAgent: string | undefined): string | undefined {
  if (!userAgent) return undefined
  const browser = browsers.find((name) => userAgent.includes(`${name}/`))
  const system = systems.find((name) => userAgent.includes(name))
  if (!browser) return userAgent.slice(0, 60)
  const shown = names[browser] ?? browser
  return system ? `${shown}, ${system === 'Mac OS X' ? 'macOS' : system}` : shown
}
