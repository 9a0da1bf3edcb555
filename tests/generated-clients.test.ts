/**
 * Clients that a known generator makes from openapi.json, each driven through a whole round: what
 * `npm run try-clients` runs.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const wanted = [
  '/usr/bin/java',
  '/usr/bin/javac',
  '/usr/share/java/jackson-databind.jar',
  '/usr/bin/go',
  '/usr/share/gocode/src/golang.org/x/oauth2',
  '/usr/bin/php',
  '/usr/share/php/GuzzleHttp/autoload.php',
  '/usr/lib/python3/dist-packages/urllib3',
  '/usr/lib/python3/dist-packages/dateutil',
]
/** Extensions of PHP that the generated client uses. */
const extensions = ['curl', 'mbstring']
const loaded = existsSync('/usr/bin/php')
  ? spawnSync('/usr/bin/php', ['-m'], { encoding: 'utf8' }).stdout
  : ''
const missing = [
  ...wanted.filter((path) => !existsSync(path)),
  ...extensions.filter((name) => !loaded.split('\n').includes(name)).map((name) => `php-${name}`),
]
const campaign = fileURLToPath(new URL('../scripts/clients-campaign.mjs', import.meta.url))

if (missing.length > 0)
  it.skip(`needs ${missing.join(', ')}; scripts/install-services.sh installs them on Debian`)

it.skipIf(missing.length > 0)(
  'clients in Python, PHP, Go, Java, TypeScript and JavaScript make whole rounds',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [campaign])
    const moved = 'a whole round through a hub in front, with another URL and nothing else'
    expect(stdout.trim().split('\n')).toEqual([
      ...[
        ...['python', 'php', 'go', 'java', 'typescript-fetch'],
        ...['orval', 'hey-api', 'openapi-fetch'],
        'tus-js-client with parallelUploads: 4',
        'tus-js-client with a deferred length',
        'TUS with an empty Upload-Metadata and X-HTTP-Method-Override',
      ].map((name) => `${name}: a whole round`),
      ...['@modelcontextprotocol/sdk 1', '@modelcontextprotocol/client 2'].flatMap((name) =>
        ['demo-connector', 'demo-admin'].map((clientId) => `${name} signs in as ${clientId}`),
      ),
      'Postman: the first job as it comes',
      'openapi-fetch through Prism: a whole round',
      `openapi-fetch: ${moved}`,
      `tus-js-client with parallelUploads: 4: ${moved}`,
    ])
    // Only for a hang: it installs and generates five clients.
  },
  3_600_000,
)
