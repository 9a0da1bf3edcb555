/**
 * The only place beside main.ts that writes to a terminal: lines that change while they are shown,
 * and questions. Texts come from others and are made printable; what moves the cursor is a constant
 * of this program, and stands apart.
 */
import { printable } from './printable.ts'

export type Write = (text: string) => unknown
export type Draw = (text: string, move?: string) => void

/** Moves to the beginning of the line and erases the line. */
export const clearLine = '\r\u001b[K'

const toError: Write = (text) => process.stderr.write(text)

export const openTerminal =
  (write: Write = toError): Draw =>
  (text, move = '') =>
    void write(move + printable(text, true))

/** What the line editor shows of the keys that are typed; it moves the cursor. */
export const echo = (piece: Buffer): void => void process.stderr.write(piece)
