/** The style sheet of both pages: light and dark by the reader's setting, down to 375 px wide, no web fonts. */
export const styles = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --raised: #ffffff; --sunk: #f3f1ed; --line: #e2ded6; --ink: #22201c; --soft: #645f56;
  --accent: #0b5c66; --warn: #8a4b00; --code-ink: #2b2a27;
  --get: #0b5c66; --post: #27652f; --put: #7a4a00; --patch: #6a3d86; --delete: #a12622;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181a; --raised: #1d2023; --sunk: #24282c; --line: #353a40; --ink: #e6e4df; --soft: #a3a09a;
    --accent: #6cc5d0; --warn: #e8b368; --code-ink: #dcdad5;
    --get: #6cc5d0; --post: #83c98a; --put: #e0b36a; --patch: #c79be0; --delete: #f08a85;
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
.depth1 th { padding-left: 1.1rem; } .depth2 th { padding-left: 2.2rem; } .depth3 th { padding-left: 3.3rem; } .depth4 th { padding-left: 4.4rem; }
.required { color: var(--warn); font-size: .78rem; white-space: nowrap; }
.badge, .deprecated { font-size: .8rem; border: 1px solid currentColor; border-radius: 1rem; padding: .05rem .6rem; white-space: nowrap; }
.badge { color: var(--accent); }
.deprecated { color: var(--warn); }
details summary { cursor: pointer; color: var(--accent); }
.places { list-style: none; margin: 1rem 0; padding: 0; }
.places li { border-top: 1px solid var(--line); padding: .65rem 0; }
.places li:last-child { border-bottom: 1px solid var(--line); }
.places > li > a { font-weight: 600; }
.places span { display: block; color: var(--soft); font-size: .95rem; }
.reference { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; }
.reference main { padding: 1.75rem 0 6rem; }
.contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.75rem .5rem 2rem 0; font-size: .9rem; }
.contents label { display: block; color: var(--soft); font-size: .8rem; }
.contents input { width: 100%; padding: .4rem .6rem; margin: .15rem 0 .35rem; }
.contents [role="status"] { min-height: 1.4rem; font-size: .8rem; color: var(--soft); }
.contents h2 { font-size: .8rem; letter-spacing: .05em; text-transform: uppercase; margin: 1.1rem 0 .25rem; }
.contents h2 a { color: var(--soft); text-decoration: none; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents li a { display: flex; gap: .5rem; padding: .14rem 0; color: inherit; text-decoration: none; line-height: 1.4; }
.contents .old { text-decoration: line-through; }
.contents li a:hover, .contents h2 a:hover { color: var(--accent); text-decoration: underline; }
.method { font: 650 .72rem/1.6 var(--mono); letter-spacing: .02em; }
.contents .method { flex: 0 0 3.2rem; line-height: 1.85; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .PATCH { color: var(--patch); } .DELETE { color: var(--delete); }
.call, .schema { background: var(--raised); border: 1px solid var(--line); border-radius: .6rem; padding: 1.15rem 1.35rem 1.25rem; margin: 1.1rem 0; }
.call:target, .schema:target { border-color: var(--accent); }
.call h3 { display: flex; flex-wrap: wrap; gap: .1rem .75rem; align-items: baseline; }
.call h3 .method { border: 1px solid currentColor; border-radius: .3rem; padding: 0 .45rem; }
.call h3 a { color: inherit; text-decoration: none; }
.call h3 a:hover { text-decoration: underline; }
.call h3 code { font-size: 1rem; font-weight: 600; }
.call > p { margin: .35rem 0 0; }
.codes { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); gap: .3rem .5rem; margin: 0; font-size: .9rem; }
.codes dt { font-family: var(--mono); font-size: .85rem; color: var(--soft); line-height: 1.75; }
.codes dd { margin: 0; display: flex; flex-wrap: wrap; gap: 0 .9rem; }
[hidden] { display: none !important; }
footer { color: var(--soft); font-size: .875rem; border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
@media (max-width: 56rem) {
  .reference { display: block; }
  .contents { position: static; max-height: none; padding: 1.25rem 0 0; }
  .contents ul { display: none; }
  .contents .groups { display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
  .contents h2 { margin: 0; font-size: .9rem; letter-spacing: 0; text-transform: none; }
  .contents h2 a { color: var(--accent); text-decoration: underline; font-weight: 400; }
  .reference main { padding-top: 1rem; }
}
@media (max-width: 38rem) {
  body { font-size: .97rem; }
  h1 { font-size: 1.6rem; }
  .call, .schema { padding: .95rem 1rem 1.05rem; margin: .9rem 0; }
  table, tbody, tr, td, tbody th { display: block; }
  thead { position: absolute; left: -99rem; }
  tbody tr { border-top: 1px solid var(--line); padding: .45rem 0; }
  tbody th, td { border: 0; padding: 0; }
  tbody td:empty { display: none; }
  td:nth-child(2) { color: var(--soft); }
  tbody .depth1 { padding-left: 1rem; } tbody .depth2 { padding-left: 2rem; } tbody .depth3 { padding-left: 3rem; } tbody .depth4 { padding-left: 4rem; }
  tr[class] th { padding-left: 0; }
  pre, .example:has(button) pre { padding: .7rem .8rem; font-size: .82rem; }
  .example button { position: static; }
}
@media print { .contents, .example button, header.top nav { display: none; } .reference { display: block; } .call { break-inside: avoid; } }
`
