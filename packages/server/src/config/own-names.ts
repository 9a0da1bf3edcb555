/**
 * The host names of the hub: those the operator configured and, if it listens on loopback only,
 * those of loopback. Links, metadata and, in the sandbox, all access depend on it.
 */
import { isIPv4 } from 'node:net'
import type { Config } from './config.ts'
import { inUrl, isLoopback } from './config-values.ts'

/** The host name in a Host header, normalised and without its port; undefined if there is none. */
export function nameIn(host: string): string | undefined {
  // Only a name and a port may reach the URL parser, which would also accept users and paths.
  const text = /^[\w.:[\]-]{1,260}$/.test(host) ? `http://${host}` : ''
  if (!URL.canParse(text)) return undefined
  const name = new URL(text).hostname.replace(/^\[|\]$|\.$/g, '')
  // Another spelling of an address (0x7f.1, 127.0.0.1.) is no name that anybody gave the hub.
  return isIPv4(name) && host.replace(/:\d*$/, '') !== name ? undefined : name
}

/** The same for `http://name:port`, as in an Origin header or an issuer. */
export const nameInOrigin = (origin: string): string | undefined =>
  nameIn(/^https?:\/\/([^/]{1,260})$/.exec(origin)?.[1] ?? '')

export type Named = Pick<Config, 'host' | 'hosts' | 'publicUrl'>

/** Whether a name, as returned by `nameIn`, is the hub's. */
export function ownNames({ host, hosts, publicUrl }: Named): (name: string | undefined) => boolean {
  const given = [...hosts.map(inUrl), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])]
  const named = new Set(given.map(nameIn))
  const isLocal = isLoopback(host)
  return (name) => name !== undefined && (named.has(name) || (isLocal && isLoopbackName(name)))
}

const isLoopbackName = (name: string): boolean => isLoopback(name) || name.endsWith('.localhost')
