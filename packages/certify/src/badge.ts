/**
 * A badge for the page of a connector: whether and when it was certified, as a self-contained SVG.
 */
import { all, isPassed, type Report, safe } from './report.ts'

const heightPx = 20
/** The width of an average character in 11 px Verdana, and the space on both sides. */
const characterPx = 6.6
const sidePx = 6

export function badge(report: Report): string {
  const kept = all(report).filter(({ result }) => result === 'kept').length
  const says = isPassed(report) ? `certified ${report.time.slice(0, 10)}` : 'not certified'
  const label = 'dragoman connector'
  const [left, right] = [label, says].map((text) =>
    Math.round(text.length * characterPx + 2 * sidePx),
  ) as [number, number]
  const title = safe(`${label}: ${says}, ${kept} of ${all(report).length} checks kept`)
  const colour = isPassed(report) ? '#2b6b3a' : '#a32020'
  const text = (at: number, words: string) =>
    `<text x="${at}" y="14" fill="#fff" text-anchor="middle">${safe(words)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${heightPx}" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left}" height="${heightPx}" fill="#444"/><rect x="${left}" width="${right}" height="${heightPx}" fill="${colour}"/>
<g font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, label)}${text(left + right / 2, says)}</g>
</svg>
`
}
