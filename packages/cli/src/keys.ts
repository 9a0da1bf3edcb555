/** `dragoman keys`: what content at rest is sealed under. Works beside a running hub, which notices nothing. */
import { type Command, readArgs, UsageError } from './command.ts'

const rotate: Command = {
  says: 'give sites a new key to seal content under',
  help: `Usage: dragoman keys rotate [--site NAME] [--json]

Makes a new key for each site that has sealed content (DRAGOMAN_SEAL_CONTENT), or for one, seals the keys of its files and texts
under it, and removes the old one. Files and texts themselves are neither read nor written. Run again after it was interrupted,
it goes on where it stopped.

  --site NAME  only this site
  --json       print JSON

Works on the hub that the environment names (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it runs. The master key stays
as it is.`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { site: { type: 'string' }, json: { type: 'boolean' } } })
    const { rotateKeys, withHub } = await import('@dragoman/server/commands')
    const rotated = await withHub(screen.env, (hub) => rotateKeys(hub, values.site))
    if (values.json) screen.out(JSON.stringify(rotated, null, 2))
    else if (rotated.length === 0) screen.out('No site has sealed content: there is nothing to rotate.')
    for (const { siteId, version, keys } of values.json ? [] : rotated)
      screen.out(
        `Site ${siteId} has key ${version}; ${keys} ${keys === 1 ? 'key was' : 'keys were'} sealed under it anew.`,
      )
    return 0
  },
}

const verbs: Readonly<Record<string, Command>> = { rotate }

export const keys: Command = {
  says: 'rotate the keys that content is sealed under',
  help: `Usage: dragoman keys VERB [OPTION]…

  rotate  ${rotate.says}

dragoman keys VERB --help tells more.`,
  verbs,
  run: async () => {
    throw new UsageError(`Say what to do with keys: ${Object.keys(verbs).join(', ')}.`)
  },
}
