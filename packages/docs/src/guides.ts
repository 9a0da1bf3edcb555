/** The guides in the folder docs/: their list, their sections in the navigation, their pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { SiteContext } from './context.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { type Heading, readHeadings, renderMarkdown } from './markdown.ts'

const folder = new URL('../../../docs/', import.meta.url)

export type Guide = {
  /** The file name without its extension, such as `listeners` or `decisions/0005-pages`. */
  readonly name: string
  readonly path: string
  readonly title: string
  readonly text: string
  /** Its section in the navigation; decisions have none. */
  readonly shelf?: string
  readonly headings: readonly Heading[]
}

const namesOf = (text: string): readonly string[] => text.split(/\s+/)
const shelves: Readonly<Record<string, readonly string[]>> = {
  Build: namesOf(
    `tour command-line templates listeners formats terms quotes memory settings testing certification faults-on-demand
     other-languages ci`,
  ),
  'Use the console': namesOf('console people'),
  Operate: namesOf(
    `operating operators-day backup high-availability postgres sqlite storage-disk storage-s3 performance`,
  ),
  Tables: namesOf('config states limits checks findings'),
}
const shelfOf = (name: string): string =>
  Object.entries(shelves).find(([, names]) => names.includes(name))?.[0] ?? 'More'
const placeOf = ({ shelf = '', name }: Guide): number => {
  const row = Object.keys(shelves).indexOf(shelf)
  return (row < 0 ? 99 : row) * 100 + Math.max(0, shelves[shelf]?.indexOf(name) ?? 0)
}

/** Errors have their own page, made from the table; the overview replaces the index of the folder. */
const replaced = ['errors', 'README']

export function listGuides(): Guide[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((file): Guide => {
      const name = file.slice(0, -'.md'.length)
      const text = readFileSync(new URL(file, folder), 'utf8')
      const headings = readHeadings(text)
      const title = headings.find(({ level }) => level === 1)?.text ?? name
      const shelf = name.includes('/') ? {} : { shelf: shelfOf(name) }
      return { name, path: `/docs/guides/${name}`, title, text, headings, ...shelf }
    })
    .filter(({ name }) => !replaced.includes(name))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
}

export function guidePage({ prefix, base }: SiteContext, guide: Guide): Page {
  const main = renderMarkdown(guide.text, { name: guide.name, prefix, base, hasGuide })
  const sections = guide.headings.filter(({ level }) => level === 2 || level === 3)
  return {
    title: guide.title,
    path: guide.path,
    main: html`<article class="guide">${main}</article>`,
    ...(sections.length > 1 && {
      aside: html`<nav class="sections" aria-label="On this page"><p class="label">On this page</p><ul>${sections.map(
        ({ id, text, level }) => html`<li class="level${level}"><a href="#${id}">${text}</a></li>`,
      )}</ul></nav>`,
    }),
  }
}

/** Files outside the folder are not guides. */
const hasGuide = (name: string): boolean => !name.startsWith('..') && existsSync(new URL(`${name}.md`, folder))

/** The pictures of the guides, by path: `/docs/pictures/NAME.png`. */
export const readPictures = (): [path: string, bytes: Buffer][] =>
  readdirSync(new URL('pictures/', folder))
    .filter((name) => name.endsWith('.png'))
    .map((name) => [`/docs/pictures/${name}`, readFileSync(new URL(`pictures/${name}`, folder))])
