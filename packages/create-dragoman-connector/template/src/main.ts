/** One round, then the process ends; dragoman certify runs it like this. Call it from a timer or a service in production. */
import { round } from './round.js'

const { HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET, CONNECTOR_HOME } = process.env
const jobId = await round({
  url: HUB_URL ?? 'http://127.0.0.1:8080',
  clientId: HUB_CLIENT_ID ?? 'demo-connector',
  clientSecret: HUB_CLIENT_SECRET ?? 'demo-connector-secret',
  home: CONNECTOR_HOME ?? '.connector',
})
console.log(`job ${jobId} is home`)
