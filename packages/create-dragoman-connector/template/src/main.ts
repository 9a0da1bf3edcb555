/**
 * Runs one round and exits, as dragoman certify expects. In production, call it from a timer or a
 * service.
 */
import { HubError } from '@dragoman/sdk'
import { round } from './round.js'

const { HUB_URL, HUB_CLIENT_ID, HUB_CLIENT_SECRET, CONNECTOR_HOME } = process.env
try {
  const jobId = await round({
    url: HUB_URL ?? 'http://127.0.0.1:8080',
    clientId: HUB_CLIENT_ID ?? 'demo-connector',
    clientSecret: HUB_CLIENT_SECRET ?? 'demo-connector-secret',
    home: CONNECTOR_HOME ?? '.connector',
  })
  console.log(`Job ${jobId} is complete.`)
} catch (error) {
  if (!(error instanceof HubError)) throw error
  console.error(error.message)
  process.exit(1) // the server for deliveries may still be open
}
