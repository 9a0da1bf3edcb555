/**
 * Drafts in this browser, by person, task, tab and segment. A tab that is open holds a lock with
 * its name, so that another tab takes over only what a closed one left behind.
 */
import type { StoredDraft } from './draft-ports.ts'

const root = 'dragoman:drafts:'
/** A page that was loaded again is another tab; it takes over what the page before it left. */
const tab = Math.random().toString(36).slice(2)
const lockOf = (name: string): string => `${root}${name}`

let isHeld = false
/** Browsers offer locks on secure pages only. Without them every stored draft is taken over. */
const locks = (): LockManager | undefined => (navigator as { readonly locks?: LockManager }).locks

function holdTab(): void {
  if (isHeld) return
  isHeld = true
  // Held until the page is gone.
  void locks()?.request(lockOf(tab), () => new Promise(() => {}))
}

/** Names the place of a task; `who` is the site and the person. */
export function openStoredDrafts(who: string, task: string) {
  const place = `${root}${who}:${task}:`
  const nameOf = (segmentId: string, of = tab) => `${place}${of}:${segmentId}`
  holdTab()
  const store = (draft: StoredDraft): boolean => {
    try {
      localStorage.setItem(nameOf(draft.segmentId), JSON.stringify(draft))
      return true
    } catch {
      return false
    }
  }
  return {
    store,
    forget(segmentId: string): void {
      try {
        localStorage.removeItem(nameOf(segmentId))
      } catch {
        // Nothing was stored.
      }
    },
    /**
     * What closed tabs left; of two drafts of one segment the later one, while the other stays for
     * the next visit.
     */
    async takeOver(): Promise<StoredDraft[]> {
      const left = new Map<string, string[]>()
      for (const key of keysAt(place)) {
        const [of = ''] = key.slice(place.length).split(':')
        if (of !== tab) left.set(of, [...(left.get(of) ?? []), key])
      }
      const found = new Map<string, StoredDraft>()
      for (const [of, keys] of left)
        await whenClosed(of, () => {
          for (const key of keys) {
            const draft = readDraft(key)
            if (!draft || found.has(draft.segmentId)) continue
            found.set(draft.segmentId, draft)
            if (store(draft)) localStorage.removeItem(key)
          }
        })
      return [...found.values()]
    },
  }
}

async function whenClosed(of: string, act: () => void): Promise<void> {
  const manager = locks()
  if (!manager) return act()
  await manager.request(lockOf(of), { ifAvailable: true }, (lock) => {
    if (lock) act()
  })
}

function keysAt(place: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(place))
  } catch {
    return []
  }
}

function readDraft(key: string): StoredDraft | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as StoredDraft | null
    return found && typeof found.segmentId === 'string' && Array.isArray(found.target)
      ? found
      : undefined
  } catch {
    return undefined
  }
}
