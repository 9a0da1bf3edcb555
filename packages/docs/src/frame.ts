/**
 * The outer markup of the start page, a short script, and the content security policy. The page
 * loads nothing: its style and script are inline, and the policy allows only those two.
 */
import { createHash } from 'node:crypto'
import { type Html, html, trusted } from './html.ts'
import { styles } from './styles.ts'

/** Adds a copy button to every example. */
const script = `
if (navigator.clipboard)
  for (const example of document.querySelectorAll('.example')) {
    const button = document.createElement('button')
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(example.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
    example.append(button)
  }
`

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The content security policy of the start page. */
export const homePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(styles)}`,
  `script-src ${hashOf(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * A whole page; `prefix` comes before every path of the hub. The empty icon stops browsers from
 * requesting one.
 */
export function frame(title: string, prefix: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(styles)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div><a class="name" href="${prefix}/">Dragoman</a><nav aria-label="Pages"><a href="${prefix}/docs">Docs</a><a href="${prefix}/openapi.json">OpenAPI</a></nav></div></header>
${body}
<script type="module">${trusted(script)}</script>
</body>
</html>
`.markup
}

export const example = (lines: string): Html =>
  html`<div class="example"><pre tabindex="0"><code>${lines}</code></pre></div>`
