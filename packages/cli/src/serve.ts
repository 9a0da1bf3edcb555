/** `dragoman serve`: the hub itself, until it is stopped. Only this command loads the server. */
import { type Command, readArgs } from './command.ts'

export const serve: Command = {
  says: 'run the hub',
  help: `Usage: dragoman serve

Runs the hub until SIGTERM or SIGINT. It then finishes running calls and tasks and exits. A second signal ends it immediately.
When it is ready, it prints its address on one line. It logs to standard error, one JSON object per line.

  DRAGOMAN_PROFILE       sandbox, staging or production (default)
  DRAGOMAN_HOST, _PORT   address and port to listen on (127.0.0.1, 8080)
  DRAGOMAN_DATA          folder for the embedded database and files (./data)
  DRAGOMAN_DATABASE_URL  postgres://… for PostgreSQL

docs/config.md lists every key.`,
  noJson: 'it logs JSON lines to standard error already',
  run: async (args, screen) => {
    readArgs({ args, options: {} })
    const { runProcess } = await import('@dragoman/server')
    return runProcess(screen.env)
  },
}
