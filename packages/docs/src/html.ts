/**
 * HTML without accidental markup: `html` escapes every value, except the results of `html` and
 * `trusted`.
 */
export type Html = { readonly markup: string }
export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)

export function html(texts: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return {
    markup: texts.map((text, at) => text + (at < parts.length ? markupOf(parts[at]) : '')).join(''),
  }
}

/** Joins parts with a separator. */
export function joined(parts: readonly Html[], between: Html): Html {
  return { markup: parts.map((part) => part.markup).join(between.markup) }
}

/** A sentence of the contract; text in backticks becomes code. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
  return html`${pieces}`
}

/** Markup of our own that needs no escaping: a style sheet, a script, a stored page. */
export const trusted = (markup: string): Html => ({ markup })

function markupOf(part: HtmlValue): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return isHtml(part) ? part.markup : part.map(markupOf).join('')
}

const isHtml = (part: Html | readonly HtmlValue[]): part is Html => 'markup' in part
