/** The official client of MCP in its version 2: signs in with client credentials, lists the tools. */
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

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
