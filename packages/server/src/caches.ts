/**
 * What a node keeps in memory beside its database: one set per hub, never the truth, gone with the process. Whoever keeps
 * something says how it is made; whatever grows with callers is an LRUCache with a limit.
 */
export type Caches = Map<unknown, unknown>
type HasCaches = { readonly caches: Caches }

/** Makes a function that gives each hub its own `T`, made at first use. */
export function perHub<H extends HasCaches, T>(make: (hub: H) => T): (hub: H) => T {
  return (hub) => {
    if (!hub.caches.has(make)) hub.caches.set(make, make(hub))
    return hub.caches.get(make) as T
  }
}
