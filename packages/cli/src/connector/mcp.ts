/**
 * `dragoman mcp`: the tools of a hub for an assistant that starts programs, over standard input and
 * output.
 */
import { type ConnectOptions, connectLine } from '@dragoman/sdk'
import { type Command, readArgs } from '../command.ts'
import { version } from '../version.ts'
import { hubHelp, hubOptions, joinAs } from './hub-connection.ts'

const { json: _, ...known } = { ...hubOptions, write: { type: 'boolean' } } as const

/** An assistant starts it anywhere: no file is written there. */
const open = ({ log: _, kept: __, connector: ___, ...options }: ConnectOptions) =>
  connectLine(options)

export const mcp: Command = {
  says: 'offer the tools of a hub to an assistant (Model Context Protocol)',
  noJson: 'it speaks JSON-RPC with the assistant',
  help: `Usage: dragoman mcp [OPTION]…

Offers the tools of a hub to an assistant over standard input and output. An assistant starts it; docs/assistants.md shows how.
The tools are those that the client may use. Those that change something are offered only with --write.

  --write          also offer tools that change something
${hubHelp
  .split('\n')
  .filter((line) => !line.startsWith('  --json '))
  .join('\n')}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: known })
    const { write, ...flags } = values
    const { hub } = await joinAs(open, flags, screen, 'demo-connector')
    const query = write ? { write: true } : {}
    const { serveAssistant } = await import('@dragoman/server/assistant')
    // Standard output belongs to the protocol.
    await serveAssistant({
      ask: (message, more) => hub.post('/mcp', message, { ...more, query }),
      version: version(),
      onerror: (error) => screen.err(error.message),
    })
    return 0
  },
}
