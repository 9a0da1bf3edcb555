/** `dragoman serve`: the hub itself, until it is told to stop. The server is loaded only here. */
import { type Command, readArgs } from './command.ts'

export const serve: Command = {
  says: 'run the hub',
  help: `Usage: dragoman serve

Runs the hub until it gets SIGTERM or SIGINT; then it finishes what runs and ends. A second signal ends it at once.
When it is ready it prints its address on one line. The log goes to standard error, one JSON object a line.

  DRAGOMAN_PROFILE       sandbox, staging or production (default)
  DRAGOMAN_HOST, _PORT   where it listens (127.0.0.1, 8080)
  DRAGOMAN_DATA          folder of the embedded database and files (./data)
  DRAGOMAN_DATABASE_URL  postgres://… for PostgreSQL

docs/config.md lists every key.`,
  run: async (args, screen) => {
    readArgs({ args, options: {} })
    const { runProcess } = await import('@dragoman/server')
    return runProcess(screen.env)
  },
}
