/** Handlers that are loaded with the first call of one of them: a start loads what most hubs need at once, and no more. */
type Room = Readonly<Record<string, unknown>>
type AnyCall = (...given: readonly unknown[]) => unknown

/** `table` has the names of the room, which the compiler holds to those of `load`. */
export function onFirstCall<R extends Room>(table: { readonly [N in keyof R]: unknown }, load: () => Promise<R>): R {
  const lazy = (name: string): AnyCall => {
    return async (...given) => ((await load())[name] as AnyCall)(...given)
  }
  return Object.fromEntries(Object.keys(table).map((name) => [name, lazy(name)])) as R
}
