/** The official client of MCP in its version 1: signs in with client credentials, lists the tools. */
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const [url, clientId] = process.argv.slice(2)
const authProvider = new ClientCredentialsProvider({
  clientId,
  clientSecret: `${clientId}-secret`,
  expectedIssuer: url,
})
const client = new Client({ name: 'campaign', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider }))
const { tools } = await client.listTools()
console.log(`${tools.find(({ name }) => name === 'listJobs')?.name} is there`)
await client.close()
