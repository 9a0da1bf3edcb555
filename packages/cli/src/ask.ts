/** Questions on a terminal. Without a terminal nothing is asked; options must give the values. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Interrupted, type Screen } from './command.ts'
import { printable } from './printable.ts'
import { echo, openTerminal } from './terminal.ts'

export type Ask = {
  /** The answer, or the proposal if the answer is empty. */
  text(question: string, proposal?: string): Promise<string>
  /** The answer is not shown while it is typed. */
  secret(question: string): Promise<string>
}

export const canAsk = (screen: Screen): boolean =>
  process.stdin.isTTY === true && screen.isTerminal.err

/** Runs the work with a terminal to ask on; Ctrl-C and the end of the input stop it. */
export async function withAsk<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  let isHidden = false
  const output = new Writable({
    write: (piece, _encoding, done) => {
      if (!isHidden) echo(piece as Buffer)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new Promise<never>((_, refuse) => {
    lines.once('SIGINT', () => refuse(new Interrupted('Interrupted; nothing was changed.')))
    lines.once('close', () => refuse(new Interrupted('The input ended; nothing was changed.')))
  })
  ended.catch(() => {})
  const question = async (text: string) =>
    (await Promise.race([lines.question(printable(text)), ended])).trim()
  const draw = openTerminal()
  try {
    return await work({
      text: async (says, proposal = '') =>
        (await question(proposal === '' ? `${says}: ` : `${says} [${proposal}]: `)) || proposal,
      secret: async (says) => {
        draw(`${says}: `)
        isHidden = true
        try {
          return await question('')
        } finally {
          isHidden = false
          draw('\n')
        }
      },
    })
  } finally {
    lines.removeAllListeners('close')
    lines.close()
  }
}
