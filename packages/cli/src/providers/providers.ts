/** `dragoman providers`: lists, adds, changes, tests and removes the providers of a site. */
import type { Provider, ProviderLimits, ProviderTest } from '@dragoman/contract/wire'
import type { Connection } from '@dragoman/sdk'
import { type Command, flag, Refusal, readArgs, type Screen, text, UsageError } from '../command.ts'
import { hubHelp, hubOptions, withHub } from '../connector/hub-connection.ts'
import { json, showTable } from '../table.ts'
import {
  configIn,
  limitsIn,
  propertiesOf,
  settingHelp,
  settingOptions,
} from './provider-settings.ts'

const client = 'demo-admin'
const adminHelp = hubHelp.replace('demo-connector', client)
const engineType = 'machine-translation'
const dialects = [
  'libretranslate',
  'apertium',
  'deepl',
  'google',
  'azure',
  'amazon',
  'modernmt',
  'chat',
]

async function allProviders(hub: Connection): Promise<Provider[]> {
  const found: Provider[] = []
  for await (const provider of hub.each('listProviders')) found.push(provider)
  return found
}

async function mustFind(hub: Connection, asked: string): Promise<Provider> {
  const all = await allProviders(hub)
  const byId = all.find(({ id }) => id === asked)
  const named = byId ? [byId] : all.filter(({ name }) => name === asked)
  const [only, ...more] = named
  if (!only)
    throw new Refusal(`There is no provider "${asked}". dragoman providers list shows them.`)
  if (more.length > 0)
    throw new Refusal(`${named.length} providers have the name "${asked}"; give the id of one.`)
  return only
}

function readOne(positionals: readonly string[], what: string): string {
  const [one, ...more] = positionals
  if (!one || more.length > 0) throw new UsageError(`Specify one ${what}.`)
  return one
}

const shownLimits = ({
  charactersPerDay: day,
  charactersPerJob: job,
}: ProviderLimits = {}): string =>
  [
    ...(day === undefined ? [] : [`${day} a day`]),
    ...(job === undefined ? [] : [`${job} a job`]),
  ].join(', ')

const list: Command = {
  says: 'list providers',
  help: `Usage: dragoman providers [list] [OPTION]…

Lists the providers of the site. The verbs add, set, test and remove change and test them; see dragoman providers VERB --help.

${hubHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({ args, options: hubOptions })
    const list = async (hub: Connection) => {
      const found = await allProviders(hub)
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
            ...(found.some(({ limits }) => limits)
              ? [{ title: 'CHARACTERS', of: ({ limits }: Provider) => shownLimits(limits) }]
              : []),
          ],
          'There are no providers. Add one with dragoman providers add.',
        )
      return 0
    }
    return withHub(values, screen, 'demo-connector', list)
  },
}

const add: Command = {
  says: 'add a provider',
  help: `Usage: dragoman providers add NAME --dialect DIALECT [OPTION]…
       dragoman providers add NAME --type TYPE [OPTION]…

Adds a provider: with --dialect a translation engine, with --type any other, such as manual or api. For example:

  dragoman providers add Apertium --dialect apertium --set url=http://127.0.0.1:2737
  dragoman providers add DeepL --dialect deepl --secret apiKey=DEEPL_KEY --per-day 500000

docs/engines.md lists the settings of every engine.

  --dialect DIALECT     the engine: ${dialects.slice(0, 5).join(', ')},
                        ${dialects.slice(5).join(', ')}
  --type TYPE           the type of another provider
${settingHelp}
${adminHelp}`,
  values: { '--dialect': dialects },
  run: async (args, screen) => {
    const options = { ...hubOptions, ...settingOptions, type: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const name = readOne(positionals, 'NAME for the new provider')
    const typeId = values.type ?? (values.dialect === undefined ? undefined : engineType)
    if (typeId === undefined)
      throw new UsageError('Specify --dialect for an engine, or --type for another provider.')
    const limits = limitsIn(values)
    return withHub(values, screen, client, async (hub) => {
      const type = await hub.findProviderType({ params: { typeId } })
      const config = await configIn(values, propertiesOf(type, values.dialect), screen)
      const made = await hub.createProvider({
        body: { name, typeId, config, ...(limits && { limits }) },
      })
      if (values.json) screen.out(json(made))
      else screen.out(`The provider ${name} was added: ${made.id}. ${nextStep(made, hub.url)}`)
      return 0
    })
  },
}

/** Nobody can deliver for a provider without an engine until people or a client work for it. */
function nextStep({ id, siteId, typeId }: Provider, hub: string): string {
  const client = `dragoman clients add --site ${siteId} --id NAME --scope provider --provider ${id} --hub ${hub}`
  if (typeId === 'manual')
    return `Now choose who translates: give people the role translator for it in the console (People), or add a client that works for it:\n  ${client}`
  if (typeId === 'api') return `Now add the client that works for it:\n  ${client}`
  return `Try it with dragoman providers test ${id}.`
}

const set: Command = {
  says: 'change a provider',
  help: `Usage: dragoman providers set PROVIDER [OPTION]…

Changes a provider, given by its id or name. Settings and secrets that you do not name are kept, but you must send a secret again if
the url points to another host or the dialect changes.

  --name NAME           its new name
  --enable, --disable   whether it gets new jobs
  --dialect DIALECT     another engine
  --unset NAME          reset a setting to its default; repeatable
${settingHelp}
${adminHelp}`,
  values: { '--dialect': dialects },
  run: async (args, screen) => {
    const unset = { type: 'string', multiple: true } as const
    const options = {
      ...hubOptions,
      ...settingOptions,
      name: text,
      enable: flag,
      disable: flag,
      unset,
    }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const asked = readOne(positionals, 'provider, by its id or name')
    const { name, enable, disable } = values
    if (enable && disable) throw new UsageError('--enable and --disable exclude each other.')
    const configures = [values.dialect, values.set, values.secret, values.unset].some(
      (one) => one !== undefined,
    )
    const limits = values['per-day'] ?? values['per-job']
    if (!configures && [name, enable, disable, limits].every((one) => one === undefined))
      throw new UsageError('Specify what to change, for example --set concurrency=4.')
    return withHub(values, screen, client, async (hub) => {
      const { id, typeId, limits: before } = await mustFind(hub, asked)
      const params = { providerId: id }
      const config = configures ? await newConfig() : undefined
      const changedLimits = limitsIn(values, before)
      const changed = await hub.changeProvider({
        params,
        body: {
          ...(name !== undefined && { name }),
          ...((enable || disable) && {
            status: enable ? ('ENABLED' as const) : ('DISABLED' as const),
          }),
          ...(changedLimits && { limits: changedLimits }),
          ...(config && { config, keepSecrets: true }),
        },
      })
      screen.out(values.json ? json(changed) : `The provider ${changed.name} was changed.`)
      return 0

      async function newConfig(): Promise<Record<string, unknown>> {
        const type = await hub.findProviderType({ params: { typeId } })
        const { config: old } = await hub.findProviderConfig({ params })
        const more = await configIn(
          values,
          propertiesOf(type, values.dialect ?? old.dialect),
          screen,
        )
        const gone = values.unset ?? []
        return {
          ...Object.fromEntries(Object.entries(old).filter(([one]) => !gone.includes(one))),
          ...more,
        }
      }
    })
  },
}

const test: Command = {
  says: 'let an engine translate one sentence, or find who works for a provider',
  help: `Usage: dragoman providers test PROVIDER [OPTION]…

Sends one sentence to the engine of a provider and shows the translation, or says what is wrong. For a provider that people or another system
work for, it shows the clients that may deliver. Nothing is saved. The exit code is 1 if it does not work.

  --text TEXT           the sentence
  --source CODE         its language (default: English, or what the engine has)
  --target CODE         the language to translate to (default: the first that the engine lists)
${adminHelp}`,
  run: async (args, screen) => {
    const options = { ...hubOptions, text, source: text, target: text }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const asked = readOne(positionals, 'provider, by its id or name')
    return withHub(values, screen, client, async (hub) => {
      const { id: providerId, name } = await mustFind(hub, asked)
      const body = {
        ...(values.text !== undefined && { text: values.text }),
        ...(values.source !== undefined && { sourceNativeLanguageCode: values.source }),
        ...(values.target !== undefined && { targetNativeLanguageCode: values.target }),
      }
      const found = await hub.testProvider({ params: { providerId }, body })
      if (values.json) screen.out(json(found))
      else showTest(screen, name, found)
      return found.works ? 0 : 1
    })
  },
}

function showTest(screen: Screen, name: string, found: ProviderTest): void {
  const { works, durationMs, text, translation, error, clients } = found
  const pair = `${found.sourceNativeLanguageCode} to ${found.targetNativeLanguageCode}`
  if (!works) screen.out(`${name} does not work: ${error}`)
  else if (clients)
    screen.out(
      `These clients may deliver for ${name}: ${clients.map((one) => one.clientId).join(', ')}.`,
    )
  else screen.out(`${name} works: ${pair} in ${durationMs} ms.\n  ${text}\n  ${translation}`)
}

const remove: Command = {
  says: 'remove a provider that nothing refers to',
  help: `Usage: dragoman providers remove PROVIDER [OPTION]…

Removes a provider, given by its id or name, with its config and secrets. A provider that has jobs, or that a rule, a client or a person
names, is not removed: dragoman providers set PROVIDER --disable keeps it from getting new jobs.

${adminHelp}`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({ args, allowPositionals: true, options: hubOptions })
    const asked = readOne(positionals, 'provider, by its id or name')
    return withHub(values, screen, client, async (hub) => {
      const { id: providerId } = await mustFind(hub, asked)
      const gone = await hub.deleteProvider({ params: { providerId } })
      screen.out(values.json ? json(gone) : `The provider ${gone.name} was removed.`)
      return 0
    })
  },
}

export const providers: Command = {
  ...list,
  says: 'list, add, change, test and remove providers',
  verbs: { list, add, set, test, remove },
}
