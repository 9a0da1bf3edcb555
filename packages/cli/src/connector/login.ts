/**
 * `dragoman login` and `dragoman logout`: store the credentials of a hub for this user, once the
 * hub has accepted them.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HubError } from '@dragoman/contract/wire'
import { connect } from '@dragoman/sdk'
import { canAsk, withAsk } from '../ask.ts'
import {
  type Command,
  exitCodes,
  flag,
  readArgs,
  type Screen,
  text,
  UsageError,
} from '../command.ts'
import { json, showTable } from '../table.ts'
import { credentialsFile, hubKey, readCredentials, writeCredentials } from './credentials.ts'
import { hubUrl, mustBeNamed, mustBePrivate, retryOf, usualUrl } from './hub-connection.ts'
import { readProject } from './project.ts'

const loginOptions = {
  hub: text,
  url: text,
  'client-id': text,
  'secret-file': text,
  'allow-http': flag,
  list: flag,
  json: flag,
} as const

export const login: Command = {
  says: 'store the credentials of a hub for this user',
  help: `Usage: dragoman login [URL] [OPTION]…

Asks for the hub, the client id and the secret, tries them at the hub, and stores them in a file that only you can read
(mode 600). Commands then use them for that hub; HUB_CLIENT_ID and HUB_CLIENT_SECRET take precedence. You can
store several hubs, one client each; the last login is the default hub.

  --client-id ID      the client id (HUB_CLIENT_ID)
  --secret-file FILE  read the secret from this file, or from standard input with -; else HUB_CLIENT_SECRET, else it asks
  --allow-http        send the secret without encryption to a hub that is not on this machine, now and with later commands
  --list              show the stored hubs, without secrets
  --json              print JSON

Exit code: 0 kept, 1 refused (a file that others can read, a hub without https), 2 invalid arguments, 3 hub not reachable,
4 credentials refused; then nothing is kept.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: loginOptions,
    })
    const stored = await readCredentials(screen)
    if (values.list) return list(screen, stored, values.json ?? false)
    const project = await readProject(screen.cwd)
    const named = positionals[0] ?? hubUrl(values, screen) ?? project.hub
    const id = values['client-id'] ?? screen.env.HUB_CLIENT_ID ?? project.clientId
    const secret = await givenSecret(values['secret-file'], screen)
    const isProjects = (positionals[0] ?? hubUrl(values, screen)) === undefined
    if (
      isProjects &&
      named &&
      secret &&
      values['secret-file'] === undefined &&
      !stored.hubs[hubKey(named)]
    )
      mustBeNamed(named)
    const given = await complete(
      { url: named, clientId: id, clientSecret: secret },
      screen,
      values['allow-http'],
    )
    const url = hubKey(given.url)
    await prove({ ...given, url }, screen)
    const { clientId, clientSecret } = given
    const client = { clientId, clientSecret, ...(values['allow-http'] && { allowsHttp: true }) }
    const file = await writeCredentials(screen, {
      ...stored,
      current: url,
      hubs: { ...stored.hubs, [url]: client },
    })
    if (values.json) screen.out(json({ hub: url, clientId: client.clientId, file }))
    else screen.out(`Logged in to ${url} as ${client.clientId}. The credentials are in ${file}.`)
    return exitCodes.done
  },
}

export const logout: Command = {
  says: 'delete the stored credentials of a hub',
  help: `Usage: dragoman logout [URL] [OPTION]…

Removes the credentials of the hub from the file that login keeps; without URL, those of the last login.

  --all    remove the credentials of every hub
  --json   print JSON

Exit code: 0 done, 1 there were none, 2 invalid arguments.`,
  run: async (args, screen) => {
    const options = { hub: text, url: text, all: flag, json: flag } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const stored = await readCredentials(screen)
    const given = positionals[0] ?? values.hub ?? values.url ?? stored.current
    const removed = Object.keys(stored.hubs).filter(
      (url) => values.all || url === hubKey(given ?? ''),
    )
    const hubs = Object.fromEntries(
      Object.entries(stored.hubs).filter(([url]) => !removed.includes(url)),
    )
    const { current, ...rest } = stored
    const isCurrentKept = current !== undefined && current in hubs
    if (removed.length > 0)
      await writeCredentials(screen, { ...rest, ...(isCurrentKept && { current }), hubs })
    if (values.json) screen.out(json({ removed }))
    else if (removed.length > 0) for (const url of removed) screen.out(`Logged out of ${url}.`)
    else
      screen.out(
        given === undefined
          ? 'You are not logged in.'
          : `You are not logged in to ${hubKey(given)}.`,
      )
    return removed.length > 0 || values.all ? exitCodes.done : exitCodes.refused
  },
}

type Credentials = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

async function givenSecret(
  file: string | undefined,
  { env, cwd }: Screen,
): Promise<string | undefined> {
  if (file === undefined) return env.HUB_CLIENT_SECRET
  const read = file === '-' ? readInput() : readFile(resolve(cwd, file), 'utf8')
  const text = await read.catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The secret cannot be read from ${file}: ${error.code ?? error.message}.`)
  })
  const secret = text.trim()
  if (secret === '')
    throw new UsageError(`There is no secret in ${file === '-' ? 'standard input' : file}.`)
  return secret
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece as string
  return text
}

type Partly = { readonly [K in keyof Credentials]: string | undefined }

/** Asks for what is missing; without a terminal, says which option to use. */
async function complete(
  { url, clientId, clientSecret }: Partly,
  screen: Screen,
  allowsHttp = false,
): Promise<Credentials> {
  if (url) mustBePrivate(url, allowsHttp)
  if (url && clientId && clientSecret) return { url, clientId, clientSecret }
  if (!canAsk(screen)) {
    const missing = [
      !url && 'URL',
      !clientId && '--client-id',
      !clientSecret && '--secret-file (- for standard input)',
    ]
    throw new UsageError(
      `There is no terminal to ask on; give ${missing.filter(Boolean).join(', ')}.`,
    )
  }
  return withAsk(async (ask) => {
    const hub = url || (await ask.text('Hub', usualUrl))
    mustBePrivate(hub, allowsHttp)
    return {
      url: hub,
      clientId: clientId || (await ask.text('Client id')),
      clientSecret: clientSecret || (await ask.secret('Secret (not shown)')),
    }
  })
}

/** A client that may not read providers still has valid credentials. */
async function prove({ url, clientId, clientSecret }: Credentials, { env }: Screen): Promise<void> {
  if (clientId === '' || clientSecret === '')
    throw new UsageError('A client id and a secret are needed.')
  try {
    const hub = connect({ url, clientId, clientSecret, retry: retryOf(env) })
    await hub.listProviders({ query: { pageSize: 1 } })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    if (!(error instanceof HubError) || error.status !== 403) throw error
  }
}

function list(
  screen: Screen,
  stored: Awaited<ReturnType<typeof readCredentials>>,
  asJson: boolean,
): number {
  const rows = Object.entries(stored.hubs).map(([hub, { clientId }]) => ({
    hub,
    clientId,
    isDefault: hub === stored.current,
  }))
  if (asJson) screen.out(json(rows))
  else
    showTable(
      screen,
      rows,
      [
        { title: 'HUB', of: (row) => row.hub },
        { title: 'CLIENT', of: (row) => row.clientId },
        { title: 'DEFAULT', of: (row) => (row.isDefault ? 'yes' : '') },
      ],
      `There are no logins in ${credentialsFile(screen)}.`,
    )
  return exitCodes.done
}
