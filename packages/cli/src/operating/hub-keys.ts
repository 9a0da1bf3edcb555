/** `dragoman keys signing` and `keys master`: the keys of the hub itself. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Refusal, readArgs, type Screen, text, UsageError } from '../command.ts'
import { count, json } from '../table.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

export const signing: Command = {
  says: 'sign tokens with a new key; with --revoke, refuse all earlier tokens',
  help: `Usage: dragoman keys signing [--revoke] [OPTION]…

Creates a new key that signs tokens from now on. Earlier tokens stay valid until they expire.

  --revoke         refuse earlier tokens: immediately on the node that is called, within five seconds on others. Clients
                   get a new token automatically
${reachHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: { ...reachOptions, revoke: { type: 'boolean' } } })
    const body = { revoke: values.revoke === true }
    const made = await reach(values, screen, (hub) => hub.call('rotateKeys', { body }))
    if (values.json) screen.out(json(made))
    else {
      const old = body.revoke ? `; ${count(made.revokedKeys, 'old key')} revoked` : ''
      screen.out(`Tokens are signed with the new key ${made.keyId}${old}.`)
    }
    return 0
  },
}

export const master: Command = {
  says: 'replace the master key; all nodes must be stopped',
  help: `Usage: dragoman keys master --from KEY --to KEY [--json]

Seals everything that is sealed under the master key with another one, in one transaction: signing keys, secrets of
listeners and providers, keys of sites, stored responses; and rebuilds the chains of the call log and the audit log. Stop all nodes
first. Signed URLs of files and cursors of lists issued before are no longer valid; tokens and client
secrets are.

  --from KEY  the current key: a file, env for DRAGOMAN_MASTER_KEY, or env:NAME for another variable
  --to KEY    the new key, in the same forms; a file that does not exist is created with a new random key
  --json      print JSON

Afterwards start all nodes with the new key. Keep the old one as long as you keep backups from before.
Works on the hub set in the environment (DRAGOMAN_DATA or DRAGOMAN_DATABASE_URL).`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: { from: text, to: text, json: { type: 'boolean' } },
    })
    if (values.from === undefined || values.to === undefined)
      throw new UsageError('Specify both --from and --to.')
    const { isWeakKey, replaceMasterKeyOf, WrongMasterKey } = await import(
      '@dragoman/server/commands'
    )
    const from = await readKey(screen, '--from', values.from)
    const to = await readKey(screen, '--to', values.to, 'may be new')
    if (from.equals(to)) throw new Refusal('--from and --to are the same key; nothing was changed.')
    if (isWeakKey(to))
      throw new Refusal('--to is not random; use 32 random bytes (openssl rand -base64 32).')
    const env = { ...screen.env, DRAGOMAN_MASTER_KEY: from.toString('base64') }
    const replaced = await replaceMasterKeyOf(env, { from, to }).catch((error: unknown) => {
      if (!(error instanceof WrongMasterKey)) throw error
      throw new Refusal(
        '--from is not the key that the secrets in this database were sealed with; nothing was changed.',
      )
    })
    if (values.json) screen.out(json(replaced))
    else {
      const { values: sealed, links } = replaced
      screen.out(
        `The master key was replaced: ${count(sealed, 'value')} sealed again, ${count(links, 'row')} of the logs linked again.`,
      )
      screen.out(
        'Start all nodes with the new key: set DRAGOMAN_MASTER_KEY, or put it into master.key of the data folder.',
      )
    }
    return 0
  },
}

async function readKey(
  screen: Screen,
  option: string,
  given: string,
  newness?: 'may be new',
): Promise<Buffer> {
  const { parseMasterKey, writeNewKey } = await import('@dragoman/server/commands')
  const variable =
    given === 'env' ? 'DRAGOMAN_MASTER_KEY' : given.startsWith('env:') ? given.slice(4) : undefined
  const path = resolve(screen.cwd, given)
  if (variable === undefined && newness && !existsSync(path)) return writeNewKey(path)
  const key = parseMasterKey(
    (variable === undefined ? contentOf(option, path) : (screen.env[variable] ?? '')).trim(),
  )
  if (key) return key
  const where = variable === undefined ? path : `the variable ${variable}`
  throw new UsageError(
    `${option}: ${where} does not contain a master key: 32 bytes in base64 or hex.`,
  )
}

function contentOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}
