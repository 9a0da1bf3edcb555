/** Who is signed in. */
import {
  type ConsoleEndpointName,
  type ConsoleEndpoints,
  formatTime,
  type HandlerAnswer,
  type Input,
} from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { version } from '../../version.ts'

export type ConsoleHandlers = {
  [N in ConsoleEndpointName]: (
    hub: Hub,
    call: Call,
    input: Input<ConsoleEndpoints[N]>,
  ) => HandlerAnswer<ConsoleEndpoints[N]> | Promise<HandlerAnswer<ConsoleEndpoints[N]>>
}

export const sessionHandlers = {
  findSession: (hub, { caller: { siteId, person } }) => ({
    person: { personId: person?.personId ?? '', name: 'Demo admin' },
    sites: [{ siteId, roles: [...(person?.roles ?? [])] }],
    siteId,
    profile: hub.config.profile,
    version,
    time: formatTime(hub.clock.now()),
    csrf: '',
  }),
} satisfies Partial<ConsoleHandlers>
