/**
 * The markup around every page of the site at /docs: head, bar with search, navigation, text, and
 * the column of samples. Styles and script come from the console's build; without them the pages
 * are plain but complete.
 */
import { createHash } from 'node:crypto'
import { byProfile } from './context.ts'
import { type Html, html, trusted } from './html.ts'

/** The files of the console's build that the pages load; paths are relative to the prefix. */
export type SiteFiles = {
  readonly script?: string
  readonly style?: string
  readonly font?: string
}

type NavigationItem = {
  readonly label: string
  /** The path of the page, such as `/docs/errors`. */
  readonly path: string
  readonly method?: string
  readonly old?: boolean
}
export type NavigationGroup = {
  readonly label: string
  readonly kind: 'top' | 'calls' | 'guides'
  readonly items: readonly NavigationItem[]
}

export type Page = {
  readonly title: string
  /** The path, by which the navigation marks the current page. */
  readonly path: string
  readonly says?: string
  /**
   * Heading and first lines of a page with samples: on a narrow screen they come before the
   * samples, the rest after them.
   */
  readonly intro?: Html
  readonly main: Html
  /** What is shown beside the text on a wide screen: samples, or the sections of the page. */
  readonly aside?: Html
}

export type Frame = {
  readonly prefix: string
  readonly files: SiteFiles
  readonly navigation: readonly NavigationGroup[]
}

/**
 * Runs before the first paint: sets the theme and the code language that the reader chose here or
 * in the console.
 */
const early = `(()=>{const d=document.documentElement;let t,c;try{t=localStorage.getItem('mantine-color-scheme-value');c=localStorage.getItem('dragoman:code')}catch{}
if(t!=='light'&&t!=='dark')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
d.setAttribute('data-mantine-color-scheme',t);d.setAttribute('data-code',/^[a-z]{2,10}$/.test(c||'')?c:'curl');d.classList.add('js')})()`

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect width='20' height='20' rx='5' fill='%232B4FC7'/%3E%3Ctext x='10' y='14.5' font-family='sans-serif' font-size='12' font-weight='700' fill='white' text-anchor='middle'%3ED%3C/text%3E%3C/svg%3E"

/** The content security policy of these pages. */
export const docsPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  `script-src 'self' 'sha256-${createHash('sha256').update(early).digest('base64')}'`,
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export function layOut({ prefix, files, navigation }: Frame, page: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Dragoman</title>
${page.says !== undefined && html`<meta name="description" content="${page.says}">`}
<link rel="icon" href="${icon}">
<script>${trusted(early)}</script>
${files.font !== undefined && html`<link rel="preload" href="${prefix}${files.font}" as="font" type="font/woff2" crossorigin>`}
${files.style !== undefined && html`<link rel="stylesheet" href="${prefix}${files.style}">`}
${files.script !== undefined && html`<script type="module" src="${prefix}${files.script}"></script>`}
</head>
<body data-prefix="${prefix}">
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="name" href="${prefix}/docs"><span class="mark" aria-hidden="true">D</span>Dragoman <span class="dim">Docs</span></a>
<button type="button" class="find" data-search hidden><span>Search</span><kbd>/</kbd></button>
<nav aria-label="Hub"><span class="badge">${byProfile('sandbox', 'staging', 'production')}</span><a href="${prefix}/">Console</a><a href="${prefix}/openapi.json">OpenAPI</a></nav>
<button type="button" class="theme" data-theme aria-label="Light or dark" hidden></button>
</header>
<div class="site">
${navigationView(prefix, navigation, page.path)}
<main id="content" tabindex="-1" class="${page.aside ? 'two' : 'one'}">
${page.intro && html`<div class="text intro">${page.intro}</div>`}
${page.aside && html`<div class="side">${page.aside}</div>`}
<div class="text rest">${page.main}</div>
</main>
</div>
</body>
</html>
`.markup
}

/** The groups as they look on every page of another group. */
const elsewhere = new WeakMap<NavigationGroup, Html>()

function navigationView(prefix: string, groups: readonly NavigationGroup[], current: string): Html {
  const item = ({ label, path, method, old }: NavigationItem): Html =>
    html`<li><a href="${prefix}${path}"${path === current && html` aria-current="page"`}><span${old && html` class="old"`}>${label}</span>${method !== undefined && html`<span class="method ${method}">${method === 'DELETE' ? 'DEL' : method}</span>`}</a></li>`
  const list = ({ items, kind, label }: NavigationGroup): Html => {
    const isHere = items.some(({ path }) => path === current)
    const links = html`<ul>${items.map(item)}</ul>`
    if (kind === 'top') return links
    return html`<details${isHere && html` open`}><summary>${label}</summary>${links}</details>`
  }
  const listOnce = (group: NavigationGroup): Html => {
    if (group.items.some(({ path }) => path === current)) return list(group)
    const made = elsewhere.get(group) ?? list(group)
    elsewhere.set(group, made)
    return made
  }
  const part = (kind: NavigationGroup['kind']): Html[] =>
    groups.filter((group) => group.kind === kind).map(listOnce)
  return html`<details class="menu"><summary>Menu</summary></details>
<nav class="contents" aria-label="Documentation">
${part('top')}
<p class="label">Guides</p>
${part('guides')}
<p class="label">API calls</p>
${part('calls')}
</nav>`
}
