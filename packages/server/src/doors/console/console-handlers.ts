/** The handlers of the console's own calls: they also get the visit. */
import type {
  ConsoleEndpointName,
  ConsoleEndpoints,
  HandlerAnswer,
  Input,
} from '@dragoman/contract'
import type { Call } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import type { Web } from '../rest/bind.ts'
import type { Visit } from './visit.ts'

type ConsoleHandler<N extends ConsoleEndpointName> = (
  hub: Hub,
  call: Call,
  input: Input<ConsoleEndpoints[N]>,
  web: Web & { readonly visit: Visit },
) => HandlerAnswer<ConsoleEndpoints[N]> | Promise<HandlerAnswer<ConsoleEndpoints[N]>>

export type ConsoleHandlers = { [N in ConsoleEndpointName]: ConsoleHandler<N> }
