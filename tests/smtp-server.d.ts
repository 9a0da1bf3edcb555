/** The part of smtp-server that the tests use. */
declare module 'smtp-server' {
  import type { Readable } from 'node:stream'

  export class SMTPServer {
    readonly server: import('node:net').Server
    constructor(options: {
      readonly authOptional: boolean
      readonly disabledCommands: readonly string[]
      readonly onData: (stream: Readable, session: unknown, done: (error?: Error) => void) => void
    })
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
  }
}
