/**
 * The logger of one call, which adds its trace id. It is made when the first line is written with it: few calls write one, and
 * a logger takes as long to make as a line.
 */
import type { FastifyBaseLogger } from 'fastify'

type Made = { readonly from: FastifyBaseLogger; readonly bindings: Record<string, unknown>; made?: FastifyBaseLogger }

const loggerOf = (lazy: Made): FastifyBaseLogger => {
  lazy.made ??= lazy.from.child(lazy.bindings)
  return lazy.made
}

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const
const lazyLogger = Object.create(null, {
  level: {
    get(this: Made) {
      return this.from.level
    },
  },
  ...Object.fromEntries(
    methods.map((name) => {
      const value = function (this: Made, ...given: never[]) {
        const logger = loggerOf(this)
        return Reflect.apply(logger[name], logger, given)
      }
      return [name, { value }]
    }),
  ),
})

export const callLogger = (from: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger =>
  Object.assign(Object.create(lazyLogger), { from, bindings, made: undefined })
