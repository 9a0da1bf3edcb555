/** Handlers of the rules that choose the provider of a job. */
import { findRouting, replaceRouting, tryRouting } from '../../domain/handover/routing/routing.ts'
import type { Handlers } from './bind.ts'

export const routingHandlers = {
  findRouting: (hub, call) => findRouting(hub, call),
  replaceRouting: (hub, call, { body }) => replaceRouting(hub, call, body),
  tryRouting: (hub, call, { body }) => tryRouting(hub, call, body),
} satisfies Partial<Handlers>
