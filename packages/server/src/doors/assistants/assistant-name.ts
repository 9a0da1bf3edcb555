/**
 * Who calls, as the assistant says of itself. Since 2026-07-28 every message says so; before, only
 * the first one did: its answer has a session id that contains the name, so no node needs to
 * remember it.
 */
import { limits } from '@dragoman/contract'
import type { FastifyRequest } from 'fastify'

type Message = { readonly method?: unknown; readonly params?: unknown }
const infoKey = 'io.modelcontextprotocol/clientInfo'

export function assistantName(message: Message, { headers }: FastifyRequest): string | undefined {
  const params = objectOf(message.params)
  const info = objectOf(
    objectOf(params._meta)[infoKey] ?? (message.method === 'initialize' ? params.clientInfo : {}),
  )
  const said = [info.name, info.version].filter((one) => typeof one === 'string').join(' ')
  const session = headers['mcp-session-id']
  return (
    shown(said) ??
    (typeof session === 'string' ? nameIn(session) : undefined) ??
    shown(headers['user-agent'] ?? '')
  )
}

export const sessionOf = (name: string): string => Buffer.from(name).toString('base64url')

const nameIn = (session: string): string | undefined =>
  shown(Buffer.from(session.slice(0, 1_000), 'base64url').toString())

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Writes it in one line, short enough for the call log. */
function shown(text: string): string | undefined {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, limits.callLogIdCharacters)
  return line === '' ? undefined : line.toWellFormed()
}
