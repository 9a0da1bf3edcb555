/** A progress bar on standard error; nothing if it is not a terminal. */
import type { Screen } from './command.ts'
import { printable } from './printable.ts'
import { widthOf } from './table.ts'
import { clearLine, openTerminal, type Write } from './terminal.ts'

export type Progress = {
  /** `done` of `total`, and the current item. */
  show(done: number, total: number, what: string): void
  /** Removes the bar. */
  end(): void
}

export function openProgress(screen: Screen, write?: Write): Progress {
  if (!screen.isTerminal.err) return { show: () => {}, end: () => {} }
  const draw = openTerminal(write)
  let shown = ''
  const end = () => {
    if (shown !== '') draw('', clearLine)
    shown = ''
  }
  return {
    show: (done, total, what) => {
      const line = barLine(done, total, printable(what), screen.columns)
      if (line === shown) return
      shown = line
      draw(line, clearLine)
    },
    end,
  }
}

/** One line that fits: `[#####-----]  50 % name`. */
export function barLine(done: number, total: number, what: string, columns: number): string {
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const wide = Math.max(5, Math.min(30, Math.floor(columns / 3)))
  const full = Math.round(part * wide)
  const head = `[${'#'.repeat(full)}${'-'.repeat(wide - full)}] ${String(Math.round(part * 100)).padStart(3)} % `
  let name = what
  while (name !== '' && widthOf(head + name) >= columns) name = [...name].slice(1).join('')
  return (head + name).slice(0, columns - 1)
}
