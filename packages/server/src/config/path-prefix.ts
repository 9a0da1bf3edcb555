/**
 * The path of the public URL, if there is one: `/hub` of `https://example.org/hub`. Links carry it.
 * A proxy may strip it before it forwards a call, or keep it; both reach the same routes.
 */
import type { Config } from './config.ts'

export const pathPrefix = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/** The path and query of a call without the prefix, whether it had one or not. */
export function withoutPrefix(prefix: string, url: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/**
 * The first route that begins with the prefix. A call to it would lose its beginning, so such a
 * prefix cannot be used.
 */
export function routeBelow(prefix: string, routes: readonly string[]): string | undefined {
  if (prefix === '') return undefined
  const parts = prefix.split('/')
  return routes.find((route) => {
    const own = route.split('/')
    return parts.every(
      (part, at) => own[at] === part || own[at]?.startsWith(':') || own[at] === '*',
    )
  })
}
