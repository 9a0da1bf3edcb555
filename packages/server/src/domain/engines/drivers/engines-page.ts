/** docs/engines.md: a part for each dialect, from its file. */
import type { Dialect, Size } from './dialects/dialect.ts'
import { dialectIds, dialects } from './dialects/index.ts'
import { engineDialects } from './engine-config.ts'

type Setting = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly writeOnly?: boolean
  readonly description?: string
}

const introduction = `# Translation engines

A provider of the type \`machine-translation\` sends the texts of its jobs to an engine: your own server, or the service of a vendor.
\`dialect\` in its config names the engine; the other settings are below. An admin adds it on the page *Providers* of the console, or with the
[command line](command-line.md#providers) ([install](install.md)):

\`\`\`sh
npx dragoman providers add Apertium --dialect apertium --set url=http://127.0.0.1:2737
npx dragoman providers add DeepL --dialect deepl --secret apiKey=DEEPL_KEY --per-day 500000
npx dragoman providers test DeepL
\`\`\`

The second command reads the key from the environment variable \`DEEPL_KEY\`; \`--secret apiKey\` alone reads it from standard input. The test
translates one sentence, verifies the translation, and says what is wrong if that fails. The API calls are \`POST /v2/providers\` and
\`POST /v2/providers/{providerId}/test\`; \`GET /v2/providers/types/machine-translation\` lists the dialects with the JSON schema of each config.

Placeholders and tags are sent as markers, and every translation is verified before it is delivered. [When an engine fails](engine-faults.md)
says what a connector sees. A vendor's address must be reachable from the hub; private addresses only if
\`DRAGOMAN_LISTENER_ALLOW\` allows them. Keys are stored encrypted, are sent to the vendor only in headers or the body, and never appear in a response,
log line or message.

\`supportedLanguages\` of the provider are the languages that the engine listed, at most ten minutes ago. A job with
a language pair that the engine does not support is refused when it is submitted. If the engine does not respond or has no list, \`supportedLanguages\` is absent
and no pair is refused.

The hub counts what it sends in the unit that the vendor bills. It does not know the vendor's prices. The report \`engines\` shows usage by
provider, job and month, and \`limits\` of a provider cap the characters per day or per job.

## Apertium on your machine

[Apertium](https://www.apertium.org) is free, rule-based and works offline. It works well between related languages, such as Spanish and Catalan, and
poorly between others, such as English and Spanish. On Debian or Ubuntu:

\`\`\`sh
sudo apt-get install apertium-apy apertium-spa-cat cg3 apertium-lex-tools
sudo install -m 644 deploy/apertium-apy.service /etc/systemd/system/apertium-apy.service
sudo systemctl daemon-reload
sudo systemctl enable --now apertium-apy
curl http://127.0.0.1:2737/listPairs
npx dragoman providers test Apertium --source es-es --target ca-es --text 'El perro duerme en el jardín.'
\`\`\`

Apertium listens on every address and requires no password. The [unit](../deploy/apertium-apy.service) uses systemd's address filter, so that
only this machine can reach it. Without systemd, \`/usr/bin/python3 scripts/apertium-loopback.py /usr/share/apertium\` starts it on 127.0.0.1 only. In
the profile \`production\`, the hub calls it only if \`DRAGOMAN_LISTENER_ALLOW\` contains \`127.0.0.1/32\`. Each language pair has its own package
(\`apt-cache search apertium-\`). \`npm run demo -- --engine\` shows what to expect.
`

const chains = `## Chains

A provider of the type \`chain\` passes its work on: to engines, in order, and then optionally to people.

\`\`\`json
{ "name": "Machine, then people", "typeId": "chain",
  "config": { "steps": [{ "engines": ["<id of DeepL>", "<id of Apertium>"] }, { "people": "<id of the agency>" }] } }
\`\`\`

\`engines\` are ids of providers of the type \`machine-translation\`. Each text goes to the first one; if that fails, to the next:
no response, an unsupported language pair, a refused key, broken tags, or anything else that fails the verification. An engine that has reached its limit holds the work, as it does outside a chain.
\`people\`, only in the last step, is the id of a provider of the type \`manual\` or \`api\`.

Without people, the chain delivers requests itself, once they are complete. With people, the job passes to their provider as soon as all of its
requests have drafts: \`providerId\` of the job changes and \`chainId\` names the chain. Drafts have an origin and a risk; segments that no engine could
translate are open, with the reason ([machine drafts](desk.md#machine-drafts)). A chain cannot contain another chain. An engine that is disabled later is skipped.
The report \`effort\` shows what people changed, by engine and language pair.
`

const shared = [
  'dialect',
  'url',
  'apiKey',
  'format',
  'languages',
  'batchSize',
  'batchBytes',
  'concurrency',
  'timeoutSeconds',
]

const sizes = ({ most, unit }: Size): string => `${most.toLocaleString('en')} ${unit.toLowerCase()}`

function limitsOf({ limits: { texts, perText, perCall } }: Dialect): string {
  const count =
    texts === undefined ? '' : texts === 1 ? 'one text, ' : `${texts.toLocaleString('en')} texts, `
  return `One call has at most ${count}${sizes(perCall)}${perText ? `; one text ${sizes(perText)}` : ''}.`
}

function takesOf({ takes = {}, glossaries }: Dialect): string {
  const taken = [
    ...(takes.context ? ['the texts before and after, and notes'] : []),
    ...(takes.references ? ['similar translations of the memory'] : []),
    ...(takes.terms || glossaries ? ['terms'] : []),
  ]
  return taken.length === 0 ? '' : ` The engine also gets ${taken.join(', ')}.`
}

function valuesOf(setting: Setting): string {
  const { type = '', minimum, maximum } = setting
  const values = setting.enum ? setting.enum.map((one) => `\`${String(one)}\``).join(', ') : type
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum?.toLocaleString('en')}`
  const usual = setting.default === undefined ? '' : `, default \`${String(setting.default)}\``
  return `${values}${range}${usual}${setting.writeOnly ? ', secret' : ''}`
}

function rowsOf(
  properties: Readonly<Record<string, Setting>>,
  names: readonly string[],
  required: readonly string[],
) {
  const rows = names.map((name) => {
    const setting = properties[name] ?? {}
    const needed = required.includes(name) ? ' (required)' : ''
    return `| \`${name}\`${needed} | ${valuesOf(setting)} | ${setting.description ?? ''} |`
  })
  return ['| setting | values | meaning |', '|---|---|---|', ...rows]
}

export function enginesPage(): string {
  const parts = engineDialects.map(({ dialect: id, name, configSchema }) => {
    const dialect = dialects[dialectIds.find((one) => one === id) ?? 'libretranslate']
    const properties = configSchema.properties as Readonly<Record<string, Setting>>
    const required = configSchema.required as readonly string[]
    const own = Object.keys(dialect.settings ?? {})
    const unit = dialect.cost.unit === 'TOKENS' ? 'tokens' : 'characters of the source'
    return [
      `## ${name} (\`${id}\`)`,
      '',
      ...(dialect.notes ?? []).map((note) => `${note}\n`),
      `It counts ${unit}. ${limitsOf(dialect)}${takesOf(dialect)}`,
      '',
      ...rowsOf(
        properties,
        ['url', 'apiKey', ...(dialect.format ? ['format'] : []), ...own],
        required,
      ),
      '',
    ].join('\n')
  })
  const [first] = engineDialects
  const common = first?.configSchema.properties as Readonly<Record<string, Setting>>
  const names = shared.filter((name) => !['url', 'apiKey'].includes(name))
  const general = ['## Settings of every engine', '', ...rowsOf(common, names, []), ''].join('\n')
  return [introduction, chains, general, ...parts].join('\n')
}
