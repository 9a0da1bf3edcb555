/** `dragoman cassette JOB`: saves the recorded calls of a job that went to an upstream. */
import { type Command, exitCodes, readArgs, UsageError } from '../command.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'
import { writeAll } from './write-all.ts'

const client = 'demo-admin'

export const cassette: Command = {
  says: 'save the recorded calls of a job at an upstream',
  help: `Usage: dragoman cassette JOB [--to FILE|-] [OPTION]…

Saves the calls of a job that a provider of the type upstream recorded (record: true in its config), for playCassette of
dragoman/testing. They have the texts of the job, but no secrets. See docs/upstream.md.

  --to FILE        the file, which must not exist yet; - for standard output (default: JOB.cassette.json)
${hubHelp.replace('demo-connector', client)}`,
  run: async (args, screen) => {
    const options = { ...hubOptions, to: { type: 'string' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const [jobId, ...more] = positionals
    if (!jobId || more.length > 0) throw new UsageError('Specify one JOB.')
    const joined = await joinHub(values, screen, client)
    const found = await withVersions(joined, () => joined.hub.findCassette({ params: { jobId } }))
    const many = found.calls.length
    if (many === 0) {
      screen.err(
        `No calls of job ${jobId} were recorded: set record in the config of its provider before it is created.`,
      )
      return exitCodes.refused
    }
    const to = values.to ?? `${jobId}.cassette.json`
    const text = new TextEncoder().encode(`${JSON.stringify(found, null, 2)}\n`)
    await writeAll(screen, to, oneChunk(text))
    const note = found.complete
      ? ''
      : ' The recording reached its size limit, so the last calls are missing.'
    if (to !== '-') screen.out(`${to}: ${many} calls.${note}`)
    return exitCodes.done
  },
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
