/**
 * The names that the hub answers to: those that the operator gave it and, where it listens on loopback alone, those of
 * loopback. Links, metadata and, in the sandbox, everything depend on it.
 */
import type { Config } from './config.ts'
import { inUrl, isLoopback } from './config-values.ts'

/** The name in a Host header, in one spelling and without its port; undefined where there is none. */
export function nameIn(host: string): string | undefined {
  // Nothing but a name and a port may reach the URL parser, which would also take users and paths.
  const text = /^[\w.:[\]-]{1,260}$/.test(host) ? `http://${host}` : ''
  return URL.canParse(text) ? new URL(text).hostname.replace(/^\[|\]$|\.$/g, '') : undefined
}

/** The same of `http://name:port`, as it stands in an Origin header or an issuer. */
export const nameInOrigin = (origin: string): string | undefined =>
  nameIn(/^https?:\/\/([^/]{1,260})$/.exec(origin)?.[1] ?? '')

export type Named = Pick<Config, 'host' | 'hosts' | 'publicUrl'>

/** Whether a name, as `nameIn` gives it, is the hub's. */
export function ownNames({ host, hosts, publicUrl }: Named): (name: string | undefined) => boolean {
  const given = [...hosts.map(inUrl), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])]
  const named = new Set(given.map(nameIn))
  const isLocal = isLoopback(host)
  return (name) => name !== undefined && (named.has(name) || (isLocal && isLoopbackName(name)))
}

const isLoopbackName = (name: string): boolean => isLoopback(name) || name.endsWith('.localhost')
