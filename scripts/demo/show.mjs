/**
 * Prints the demo: one line per step; on a terminal the running step is updated in place, in
 * colour.
 */
const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
const hasColour = isTerminal && !process.env.NO_COLOR
const paint = (code, text) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = (text) => paint(1, text)
const faint = (text) => paint(2, text)
const green = (text) => paint(32, text)

export function openShow(count) {
  let number = 0
  let name = 'start'
  const head = () => `${String(number).padStart(2)}/${count}  ${name.padEnd(9)}`
  const live = (text) => {
    if (isTerminal) process.stdout.write(`\r\u001b[2K${head()} ${text}`)
  }
  return {
    /** Runs a step; the sentence that it returns is its line. */
    step: async (called, run) => {
      number += 1
      name = called
      live(faint('…'))
      const said = await run((done, all) => live(`${bar(done, all)} ${done} of ${all}`))
      process.stdout.write(
        `${isTerminal ? '\r\u001b[2K' : ''}${hasColour ? green(head()) : head()} ${said}\n`,
      )
    },
    /** The running step, for the error message. */
    running: () => name,
    /** Ends a half-written line. */
    stop: () => {
      if (isTerminal) process.stdout.write('\r\u001b[2K')
    },
  }
}

function bar(done, all) {
  const full = Math.round((20 * done) / Math.max(1, all))
  return `[${'='.repeat(full)}${' '.repeat(20 - full)}]`
}
