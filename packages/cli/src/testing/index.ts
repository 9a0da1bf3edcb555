/** `dragoman/testing`: a whole hub inside a test. */
export { type CassettePlayer, playCassette } from './cassette-player.ts'
export type { Controls, Fault, FaultOptions, SeenCall } from './controls.ts'
export type { DeliveryRecorder, Recorded } from './delivery-recorder.ts'
export {
  type Credentials,
  type HubOptions,
  type Role,
  type RunningHub,
  startHub,
} from './start-hub.ts'
