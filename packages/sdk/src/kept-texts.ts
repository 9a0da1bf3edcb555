/**
 * A store of small texts that outlive the process: the installation's GUID, uploads in progress,
 * handled updates. A folder in Node (`keptInFolder`), localStorage on a page; `keptInMemory`
 * forgets them at the end.
 */
export type KeptTexts = {
  get(key: string): Promise<string | undefined>
  /** With `once`, an existing text stays. */
  set(key: string, text: string, options?: { readonly once?: boolean }): Promise<void>
  remove(key: string): Promise<void>
}

export function keptInMemory(): KeptTexts {
  const texts = new Map<string, string>()
  return {
    get: async (key) => texts.get(key),
    set: async (key, text, { once } = {}) => {
      if (!once || !texts.has(key)) texts.set(key, text)
    },
    remove: async (key) => {
      texts.delete(key)
    },
  }
}

type PageStorage = {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

/** A page's localStorage, under names that begin with `prefix`. */
export function keptInBrowser(prefix = 'dragoman:', storage = pageStorage()): KeptTexts {
  return {
    get: async (key) => storage.getItem(prefix + key) ?? undefined,
    set: async (key, text, { once } = {}) => {
      if (!once || storage.getItem(prefix + key) === null) storage.setItem(prefix + key, text)
    },
    remove: async (key) => storage.removeItem(prefix + key),
  }
}

function pageStorage(): PageStorage {
  const found = (globalThis as { localStorage?: PageStorage }).localStorage
  if (!found)
    throw new TypeError(
      'There is no localStorage here; in Node use keptInFolder of @dragoman/sdk/node.',
    )
  return found
}
