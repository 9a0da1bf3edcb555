/** Anchors: those of the single page that /docs used to be, and those inside collapsed parts. */
import { prefix } from './elements.ts'

/**
 * `/docs#error-JOB_EMPTY`, `/docs#schema-Job`, `/docs#createJob`: redirects to where these are now.
 */
export function followOldAnchor(): void {
  if (location.pathname !== `${prefix}/docs`) return
  const anchor = decodeURIComponent(location.hash.slice(1))
  if (!/^[\w-]+$/.test(anchor) || document.getElementById(anchor)) return
  const [, kind, name = anchor] = /^(error|schema)-(\w+)$/.exec(anchor) ?? []
  const page = kind === 'error' || /^[A-Z][A-Z_]+$/.test(name) ? `errors#${name}` : undefined
  const to = `${prefix}/docs/${page ?? `${kind === 'schema' ? 'schemas' : 'calls'}/${name}`}`
  location.replace(to)
}

/** Expands everything around the element that the URL names, and scrolls to it. */
export function openAround(): void {
  const target =
    location.hash.length > 1
      ? document.getElementById(decodeURIComponent(location.hash.slice(1)))
      : null
  if (!target) return
  for (let around: Element | null = target; around; around = around.parentElement)
    if (around instanceof HTMLDetailsElement) around.open = true
  target.scrollIntoView()
}
