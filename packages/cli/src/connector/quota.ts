/** `dragoman quota`: the caller's limits. */
import { type Command, readArgs } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'

export const quota: Command = {
  says: 'show quotas',
  help: `Usage: dragoman quota [OPTION]…

Shows the quotas of the client, and the usage of those counted per site.

${hubHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: hubOptions })
    const joined = await joinHub(values, screen)
    return withVersions(joined, async () => {
      const { quotas } = await joined.hub.findQuota()
      if (values.json) screen.out(json(quotas))
      else
        showTable(
          screen,
          quotas,
          [
            { title: 'QUOTA', of: ({ name }) => name },
            { title: 'VALUE', of: ({ value }) => value },
            { title: 'USED', of: ({ used }) => used },
          ],
          'There are no quotas.',
        )
      return 0
    })
  },
}
