/** `dragoman clock`: reads and advances the clock of a sandbox. */
import { parseDuration } from '@dragoman/contract/wire'
import { type Command, Refusal, readArgs, type Screen, UsageError } from '../command.ts'
import { openControls } from '../testing/controls.ts'
import { type HubFlags, hubHelp, hubOptions, joinHub } from './hub-connection.ts'

const advance: Command = {
  says: 'advance it and run everything that falls due',
  help: `Usage: dragoman clock advance DURATION [OPTION]…

Advances the clock of a sandbox by 90s, 5m, 2h, 3d, 6mo or 1y. Everything that falls due in that time is done when the
command ends.

${hubHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: hubOptions })
    const [by = ''] = positionals
    if (!parseDuration(by))
      throw new UsageError(`Specify how far: 90s, 5m, 2h, 3d, 6mo or 1y, not "${by}".`)
    return show(values, screen, (controls) => controls.clock.advance(by))
  },
}

export const clock: Command = {
  says: 'show or advance the clock of a sandbox',
  help: `Usage: dragoman clock [advance DURATION] [OPTION]…

Shows the time of a sandbox. dragoman clock advance 2d advances it by two days.

${hubHelp}`,
  verbs: { advance },
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: hubOptions })
    return show(values, screen, (controls) => controls.clock.now())
  },
}

async function show(
  values: HubFlags,
  screen: Screen,
  act: (controls: ReturnType<typeof openControls>) => Promise<Date>,
) {
  const { url } = await joinHub(values, screen)
  const now = await act(openControls(url)).catch((error: unknown) => {
    const { status } = error as { status?: number }
    if (status === 404)
      throw new Refusal(`The hub at ${url} is not a sandbox: its clock cannot be changed.`)
    throw error
  })
  screen.out(values.json ? JSON.stringify({ now: now.toISOString() }) : now.toISOString())
  return 0
}
