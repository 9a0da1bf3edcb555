/**
 * What differs between two attempts: response, sent headers, and the lines of the response body.
 * Pure.
 */
import type { SentDelivery } from '@dragoman/contract/wire'

type Attempt = Pick<
  SentDelivery['attempts'][number],
  'responseCode' | 'error' | 'headers' | 'answer'
>
export type Difference = { readonly name: string; readonly from: string; readonly to: string }

export function differencesOf(before: Attempt, after: Attempt): Difference[] {
  const names = [
    ...new Set([...Object.keys(before.headers ?? {}), ...Object.keys(after.headers ?? {})]),
  ].sort()
  const answer = linesOf(before.answer ?? '', after.answer ?? '')
  return [
    { name: 'responseCode', from: outcomeOf(before), to: outcomeOf(after) },
    ...names.map((name) => ({
      name,
      from: before.headers?.[name] ?? '',
      to: after.headers?.[name] ?? '',
    })),
    { name: 'answer', ...answer },
  ].filter(({ from, to }) => from !== to)
}

const outcomeOf = ({ responseCode, error }: Attempt): string =>
  responseCode === undefined ? (error ?? '') : String(responseCode)

/** Without the lines that both have at the beginning and the end. */
function linesOf(before: string, after: string): { from: string; to: string } {
  const [from, to] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(from.length, to.length)
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  let end = 0
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++
  const cut = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n')
  return { from: cut(from), to: cut(to) }
}
