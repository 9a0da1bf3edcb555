/**
 * What a node keeps in memory beside its database: one set of caches per hub, never the source of
 * truth, gone with the process. Each user defines how its cache is made; caches that grow with
 * callers are bounded LRUCaches.
 */
export type Caches = Map<unknown, unknown>
type HasCaches = { readonly caches: Caches }

/** Makes a function that gives each hub its own `T`, created on first use. */
export function perHub<H extends HasCaches, T>(make: (hub: H) => T): (hub: H) => T {
  return (hub) => {
    const known = hub.caches.get(make) as T | undefined
    if (known !== undefined) return known
    const made = make(hub)
    hub.caches.set(make, made)
    return made
  }
}
