/** What the palette lists: the pages of found things, and what was last opened in this browser. */
import type { FoundThing, ThingKind } from '@dragoman/contract/wire'
import { credentials } from '../../hub.ts'
import type { GlyphName } from '../../look/glyphs.tsx'
import { looks, type Status } from '../../look/states.tsx'
import { storeChoice, storedChoice } from '../../stored-choices.ts'

export type Entry = {
  readonly group: 'found' | 'recent' | 'commands' | 'pages' | 'docPages'
  readonly id: string
  readonly glyph: GlyphName
  readonly title: string
  /** What of it matched, if that is not its name. */
  readonly why?: string
  /** The word for its kind. */
  readonly kind?: string
  /** An id, or keys. */
  readonly hint?: string
  readonly href?: string
  readonly act?: () => void
  readonly thing?: FoundThing
}

const glyphs: Readonly<Record<ThingKind, GlyphName>> = {
  job: 'jobs',
  request: 'jobs',
  file: 'file',
  asset: 'file',
  tmupdate: 'file',
  update: 'update',
  delivery: 'delivery',
  listener: 'listeners',
  provider: 'providers',
  call: 'call',
  task: 'task',
  client: 'access',
  person: 'person',
}

/** The page of a thing, with the thing selected. */
export function hrefOf({ kind, id, jobId }: FoundThing): string {
  const named = encodeURIComponent(id)
  const job = `/jobs/${encodeURIComponent(jobId ?? id)}`
  const hrefs: Record<ThingKind, string> = {
    job,
    request: `${job}/requests?request=${named}`,
    file: `${job}/files?file=${named}`,
    asset: `${job}/files?file=${named}`,
    tmupdate: `${job}/files?file=${named}`,
    update: `${job}/timeline?at=${named}`,
    delivery: `/deliveries/${named}`,
    listener: `/listeners/${named}`,
    provider: `/providers/${named}`,
    call: `/calls/${named}`,
    task: `/health/tasks?task=${named}`,
    client: `/access/clients?client=${named}`,
    person: `/access/people?person=${named}`,
  }
  return hrefs[kind]
}

export function entryOf(group: 'found' | 'recent', thing: FoundThing, kind: string): Entry {
  const { statusCode, title } = thing
  const id = `${thing.kind}-${thing.id}`
  const glyph = (statusCode && looks[statusCode as Status]) || glyphs[thing.kind]
  const hint = thing.id === title ? undefined : thing.id
  return { group, id, glyph, title, kind, ...(hint && { hint }), href: hrefOf(thing), thing }
}

const pressable = [
  'main [data-acts] a[href]',
  'main button:not([aria-disabled=true], [aria-haspopup], [aria-pressed], [data-close], :disabled, [role=grid] *)',
].join()

/** The buttons of the page outside its rows, unless they are already listed with a key. */
export function shownActs(known: readonly Entry[]): Entry[] {
  const titles = new Set(known.map(({ title }) => title))
  const found: Entry[] = []
  for (const button of document.querySelectorAll<HTMLElement>(pressable)) {
    const title = (button.getAttribute('aria-label') ?? button.textContent).trim()
    if (title === '' || titles.has(title)) continue
    titles.add(title)
    found.push({
      group: 'commands',
      id: `act ${title}`,
      glyph: 'play',
      title,
      act: () => button.click(),
    })
  }
  return found
}

const maxRecent = 6

/** Per site, because each site has its own things. */
const recentName = (): string => `recent:${credentials.siteId}`

export function readRecent(): FoundThing[] {
  try {
    const things = JSON.parse(storedChoice(recentName()) ?? '[]') as FoundThing[]
    return things.filter(({ kind, id, title }) => kind in glyphs && id && title).slice(0, maxRecent)
  } catch {
    return []
  }
}

export function remember(thing: FoundThing): void {
  const others = readRecent().filter(({ kind, id }) => kind !== thing.kind || id !== thing.id)
  storeChoice(recentName(), JSON.stringify([thing, ...others].slice(0, maxRecent)))
}
