/**
 * `dragoman keys`: the keys that seal content at rest, those that sign tokens, and the master key.
 */
import { type Command, readArgs, verbsOnly } from './command.ts'
import { master, signing } from './operating/hub-keys.ts'

const rotate: Command = {
  says: 'give sites a new key for sealed content',
  help: `Usage: dragoman keys rotate [--site NAME] [--json]

Creates a new key for each site with sealed content (DRAGOMAN_SEAL_CONTENT), or for one site, seals the keys of its files and
texts with it, and removes the old key. It does not read or write the files and texts themselves. If it is interrupted, run it
again to continue.

  --site NAME  only this site
  --json       print JSON

Works on the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL), also while it runs. The master key does
not change.`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: { site: { type: 'string' }, json: { type: 'boolean' } },
    })
    const { rotateKeys, withHub } = await import('@dragoman/server/commands')
    const rotated = await withHub(screen.env, (hub) => rotateKeys(hub, values.site))
    if (values.json) screen.out(JSON.stringify(rotated, null, 2))
    else if (rotated.length === 0)
      screen.out('No site has sealed content; there is nothing to rotate.')
    for (const { siteId, version, keys } of values.json ? [] : rotated)
      screen.out(
        `Site ${siteId} has key ${version}; ${keys} ${keys === 1 ? 'key was' : 'keys were'} sealed again with it.`,
      )
    return 0
  },
}

const verbs: Readonly<Record<string, Command>> = { rotate, signing, master }

export const keys = verbsOnly(
  'keys',
  'rotate the keys of sealed content and of tokens, replace the master key',
  verbs,
)
