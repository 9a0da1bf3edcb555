/**
 * The rules being edited: kept in the browser's tab until they are saved or discarded. A draft
 * knows the version that it began with, so somebody else's rules are never overwritten unseen.
 */
import type { Routing, RoutingRule } from '@dragoman/contract/wire'
import { useEffect, useState } from 'react'
import { credentials } from '../../hub.ts'

/** A rule with a name of its own for the page: rules can be moved, and may be called the same. */
export type RuleRow = { readonly key: number; readonly rule: RoutingRule }
export type Draft = { readonly version: number; readonly rows: readonly RuleRow[] }

let lastKey = 0
export const rowOf = (rule: RoutingRule): RuleRow => {
  lastKey += 1
  return { key: lastKey, rule }
}
export const draftOf = ({ version, rules }: Routing): Draft => ({ version, rows: rules.map(rowOf) })
export const routingOf = ({ version, rows }: Draft): Routing => ({
  version,
  rules: rows.map(({ rule }) => rule),
})

const slot = (): string => `dragoman:routing:${credentials.siteId}`

function storedDraft(): Draft | undefined {
  try {
    const text = sessionStorage.getItem(slot())
    return text === null ? undefined : draftOf(JSON.parse(text) as Routing)
  } catch {
    return undefined
  }
}

export function useDraft(): [Draft | undefined, (draft: Draft | undefined) => void] {
  const [draft, setDraft] = useState(storedDraft)
  useEffect(() => {
    try {
      if (draft) sessionStorage.setItem(slot(), JSON.stringify(routingOf(draft)))
      else sessionStorage.removeItem(slot())
    } catch {
      // Storage is switched off: the draft lasts as long as the page.
    }
  }, [draft])
  return [draft, setDraft]
}
