/**
 * The guides, which are the files of the folder docs/ and some beside it: their list, their
 * sections in the navigation, their pages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { SiteContext } from './context.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { type Heading, readHeadings, renderMarkdown } from './markdown.ts'
import { findShown } from './shown-files.ts'

const folder = new URL('../../../docs/', import.meta.url)

/** Guides that are kept beside what they describe, by name; the paths start at docs/. */
const elsewhere: Readonly<Record<string, string>> = {
  sdk: '../packages/sdk/README.md',
  text: '../packages/text/README.md',
  examples: '../examples/README.md',
  ci: '../examples/ci/README.md',
  webhooks: '../examples/webhooks/README.md',
  deploy: '../deploy/README.md',
}

export type Guide = {
  /** The file name without its extension, such as `listeners` or `decisions/doors`. */
  readonly name: string
  /** Its file, from docs/ on. */
  readonly file: string
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
    `tour connector install recipes command-line sdk text changing-content listeners webhooks files filters formats terms quotes memory settings testing
     certification faults-on-demand assistants other-languages ci examples existing-systems`,
  ),
  'Use the console': namesOf('console people providers quality'),
  Operate: namesOf(
    `operating deploy operators-day operator-recipes upgrading backup high-availability postgres sqlite storage-disk storage-s3 performance reliability`,
  ),
  Tables: namesOf('config states limits checks findings'),
}
const shelfOf = (name: string): string =>
  Object.entries(shelves).find(([, names]) => names.includes(name))?.[0] ?? 'More'
const placeOf = ({ shelf = '', name }: Guide): number => {
  const row = Object.keys(shelves).indexOf(shelf)
  return (row < 0 ? 99 : row) * 100 + Math.max(0, shelves[shelf]?.indexOf(name) ?? 0)
}

/**
 * Errors have their own page, made from the table; the overview replaces the index of the folder.
 */
const replaced = ['errors', 'README']

export function listGuides(): Guide[] {
  const own = readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((file) => [file.slice(0, -'.md'.length), file] as const)
  return [...own, ...Object.entries(elsewhere)]
    .map(([name, file]): Guide => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const headings = readHeadings(text)
      const title = headings.find(({ level }) => level === 1)?.text ?? name
      const shelf = name.includes('/') ? {} : { shelf: shelfOf(name) }
      return { name, file, path: `/docs/guides/${name}`, title, text, headings, ...shelf }
    })
    .filter(({ name }) => !replaced.includes(name))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1))
}

export function guidePage({ prefix, base }: SiteContext, guide: Guide): Page {
  const main = renderMarkdown(guide.text, { file: guide.file, prefix, base, guideOf, findShown })
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

/** The name of the guide in a file, given from docs/ on; undefined if the file is none. */
function guideOf(file: string): string | undefined {
  const inside = file.startsWith('../docs/') ? file.slice('../docs/'.length) : file
  const beside = Object.entries(elsewhere).find(([, path]) => path === inside)
  if (beside) return beside[0]
  const isGuide =
    !inside.startsWith('..') && inside.endsWith('.md') && existsSync(new URL(inside, folder))
  return isGuide ? inside.slice(0, -'.md'.length) : undefined
}

/** The pictures of the guides, by path: `/docs/pictures/NAME.png`. */
export const readPictures = (): [path: string, bytes: Buffer][] =>
  readdirSync(new URL('pictures/', folder))
    .filter((name) => name.endsWith('.png'))
    .map((name) => [`/docs/pictures/${name}`, readFileSync(new URL(`pictures/${name}`, folder))])
