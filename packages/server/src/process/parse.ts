/** What somebody else wrote: its value, or undefined if it is not written as it must be. */
export const parseJson = (text: string): unknown => parsed(() => JSON.parse(text))
export const decodeUri = (text: string): string | undefined =>
  parsed(() => decodeURIComponent(text))

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
