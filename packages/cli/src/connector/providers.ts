/** `dragoman providers`: lists the providers. */
import type { Provider } from '@dragoman/contract/wire'
import { type Command, readArgs } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'

export const providers: Command = {
  says: 'list providers',
  help: `Usage: dragoman providers [OPTION]…

Lists the providers of the site.

${hubHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: hubOptions })
    const joined = await joinHub(values, screen)
    return withVersions(joined, async () => {
      const found: Provider[] = []
      for await (const provider of joined.hub.each('listProviders')) found.push(provider)
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'PROVIDER', of: ({ id }) => id },
            { title: 'NAME', of: ({ name }) => name },
            { title: 'TYPE', of: ({ typeId }) => typeId },
            { title: 'STATE', of: ({ status }) => status },
          ],
          'There are no providers.',
        )
      return 0
    })
  },
}
