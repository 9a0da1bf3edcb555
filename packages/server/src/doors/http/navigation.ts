/** Tells a person who opens a page in a browser from a program that calls. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers with a page. */
export type Page = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>

/** Paths of the interfaces: there a wrong path is an error, whoever asks. */
const forPrograms =
  /^\/(v\d|fms|mcp|connect|console|sandbox\/|\.well-known|openapi\.json|settings\/)/

export function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' || forPrograms.test(url)) return false
  const mode = headers['sec-fetch-mode']
  return mode === undefined
    ? (headers.accept?.startsWith('text/html') ?? false)
    : mode === 'navigate'
}
