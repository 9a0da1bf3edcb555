/**
 * What `--local` of the command line loads: the calls of the endpoint table on the hub's own
 * database.
 */

export { callLocally, type LocalInput } from '../doors/rest/call-locally.ts'
export { withKnownHub as withHub } from './commands.ts'
