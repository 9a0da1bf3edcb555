/**
 * The style sheet of the start page: light or dark by the reader's setting, down to 375 px wide, no
 * web fonts.
 */
export const styles = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --raised: #ffffff; --sunk: #f3f1ed; --line: #e2ded6; --ink: #22201c; --soft: #645f56;
  --accent: #0b5c66; --warn: #8a4b00; --code-ink: #2b2a27;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181a; --raised: #1d2023; --sunk: #24282c; --line: #353a40; --ink: #e6e4df; --soft: #a3a09a;
    --accent: #6cc5d0; --warn: #e8b368; --code-ink: #dcdad5;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: .18rem solid var(--accent); outline-offset: .15rem; border-radius: .2rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--raised); padding: .4rem .8rem; }
header.top { border-bottom: 1px solid var(--line); background: var(--raised); }
header.top > div { max-width: 76rem; margin: 0 auto; padding: .8rem 1.25rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; }
header.top .name { font-weight: 650; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
header.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-left: auto; font-size: .925rem; }
main { min-width: 0; }
main.column { max-width: 46rem; margin: 0 auto; padding: 2.25rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; font-weight: 680; }
h2 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.75rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0; line-height: 1.45; }
h4 { font-size: .78rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); margin: 1.4rem 0 .45rem; font-weight: 600; }
p { margin: .6rem 0; }
.lead { font-size: 1.1rem; color: var(--soft); }
.soft, .note { color: var(--soft); }
h4 .note { text-transform: none; letter-spacing: 0; font-weight: 400; }
code { font-family: var(--mono); font-size: .87em; color: var(--code-ink); overflow-wrap: anywhere; }
p code, li code, td code { background: var(--sunk); padding: .08em .3em; border-radius: .25em; }
pre { background: var(--sunk); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; overflow-x: auto; margin: .5rem 0; font-size: .9rem; line-height: 1.55; }
pre code { overflow-wrap: normal; }
.example { position: relative; }
.example button { position: absolute; top: .5rem; right: .5rem; }
.example:has(button) pre { padding-right: 5rem; }
button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; }
button { font-size: .8rem; padding: .15rem .6rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
table { border-collapse: collapse; table-layout: fixed; width: 100%; font-size: .925rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th:nth-child(1) { width: 36%; } thead th:nth-child(2) { width: 20%; }
thead th { border-top: 0; color: var(--soft); font-size: .8rem; padding-bottom: .25rem; }
td:last-child { padding-right: 0; }
th code { font-weight: 600; }
.badge { font-size: .8rem; border: 1px solid currentColor; border-radius: 1rem; padding: .05rem .6rem; white-space: nowrap; }
.badge { color: var(--accent); }
.places { list-style: none; margin: 1rem 0; padding: 0; }
.places li { border-top: 1px solid var(--line); padding: .65rem 0; }
.places li:last-child { border-bottom: 1px solid var(--line); }
.places > li > a { font-weight: 600; }
.places span { display: block; color: var(--soft); font-size: .95rem; }
footer { color: var(--soft); font-size: .875rem; border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
@media (max-width: 38rem) {
  body { font-size: .97rem; }
  h1 { font-size: 1.6rem; }
  table, tbody, tr, td, tbody th { display: block; }
  thead { position: absolute; left: -99rem; }
  tbody tr { border-top: 1px solid var(--line); padding: .45rem 0; }
  tbody th, td { border: 0; padding: 0; }
  tbody td:empty { display: none; }
  td:nth-child(2) { color: var(--soft); }
  pre, .example:has(button) pre { padding: .7rem .8rem; font-size: .82rem; }
  .example button { position: static; }
}
@media print { .example button, header.top nav { display: none; } }
`
