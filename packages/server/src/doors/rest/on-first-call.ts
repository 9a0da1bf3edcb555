/** Handlers that are loaded with the first call of one of them: a start loads what most hubs need at once, and no more. */
type Room = Readonly<Record<string, unknown>>
type AnyCall = (...given: readonly unknown[]) => unknown

/** `table` has the names of the room. One that `load` lacks does not compile: its calls would fail. */
export function onFirstCall<R extends Room, T extends { readonly [N in keyof R]: unknown }>(
  table: T & { readonly [N in Exclude<keyof T, keyof R>]: never },
  load: () => Promise<R>,
): R {
  const lazy = (name: string): AnyCall => {
    return async (...given) => ((await load())[name] as AnyCall)(...given)
  }
  return Object.fromEntries(Object.keys(table).map((name) => [name, lazy(name)])) as R
}
