/**
 * The pages and the examples that stand in them: every command of the start page, of the API
 * reference and of docs/tour.md is taken out as it stands, run by a shell against a real hub, and
 * must answer with the status that is promised.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '@dragoman/contract'
import { openapi } from '@dragoman/docs/reference'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startHub, type TestHub } from './hub.ts'

const root = join(import.meta.dirname, '..')
const hasCurl = spawnSync('curl', ['--version']).status === 0

let hub: TestHub
beforeAll(async () => {
  hub = await startHub()
})
afterAll(() => hub.close())

const page = async (path: string, from = hub): Promise<string> =>
  (await from.call<string>('GET', path)).body

const plain = (markup: string): string =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const examplesOf = (markup: string): string[] =>
  [...markup.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
    plain(code),
  )

/**
 * Runs a script in which every curl leaves its headers behind; gives back what it said and the
 * statuses in order: those it ended with and, where a redirect was followed, those it began with.
 */
async function runShell(script: string, env: Record<string, string> = {}) {
  const work = mkdtempSync(join(tmpdir(), 'dragoman-shell-'))
  const seen = join(work, 'seen')
  mkdirSync(seen)
  const watched = `curl() { n=$(ls "$SEEN" | wc -l); command curl -D "$SEEN/$(printf %04d "$n")" "$@"; }`
  try {
    const said = await new Promise<string>((resolve, reject) =>
      execFile(
        'sh',
        ['-eu', '-c', `${watched}\n${script}`],
        { cwd: work, env: { PATH: process.env.PATH, SEEN: seen, ...env } },
        (error, out, err) => (error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out)),
      ),
    )
    const heads = readdirSync(seen)
      .sort()
      .map((name) => readFileSync(join(seen, name), 'utf8'))
    const all = heads.map((head) =>
      [...head.matchAll(/^HTTP\/\S+ (\d+)/gm)].map(([, status]) => Number(status)),
    )
    return { said, statuses: all.map((of) => of.at(-1)), firsts: all.map((of) => of[0]) }
  } finally {
    rmSync(work, { recursive: true })
  }
}

describe('the start page as it is sent', () => {
  const path = '/'

  it('is HTML that loads nothing from anywhere', async () => {
    const { status, headers, body } = await hub.call<string>('GET', path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    const addresses = [...body.matchAll(/\b(?:href|src|action|srcset|poster)="([^"]*)"/g)].map(
      ([, to]) => to,
    )
    expect(addresses.filter((to) => !/^(#|\/(?!\/)|data:,$)/.test(to ?? ''))).toEqual([])
    // Addresses in examples are text, and of a domain that nobody has.
    const text = body.replaceAll(hub.url, '').replace(/https:\/\/(\w+\.)*example\.(org|com)\b/g, '')
    expect(text).not.toMatch(/https?:\/\/|@import|url\(/)
  })

  it('runs under a policy that allows its own style and script and nothing else', async () => {
    const { headers, body } = await hub.call<string>('GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    const hashes = ['style', 'script'].map((tag) => {
      const text = new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(body)?.[1] ?? ''
      return `${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`
    })
    for (const rule of [
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      ...hashes,
    ])
      expect(policy.split('; ')).toContain(rule)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(body).not.toMatch(/\son\w+=|\sstyle=|javascript:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('has no broken link', async () => {
    const body = await page(path)
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, to = ''] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(to)
    const others = new Set([...body.matchAll(/href="(\/[^"]*)"/g)].map(([, to = '']) => to))
    for (const to of others) expect([to, (await hub.call('GET', to)).status]).toEqual([to, 200])
  })

  it('does not let a Host header write into it', async () => {
    const { port } = new URL(hub.url)
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: `"><script>alert(1)</script>$(id)` }
      const call = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more
        })
        answer.on('end', () => resolve(text))
      })
      call.on('error', reject).end()
    })
    expect(body).not.toContain('alert(1)')
    expect(body).not.toContain('$(id)')
  })
})

describe('the start page', () => {
  it('shows commands that work as they stand', async (test) => {
    test.skip(!hasCurl, 'there is no curl on this machine')
    const [commands = ''] = examplesOf(await page('/'))
    const { said, statuses } = await runShell(commands)
    expect(statuses).toEqual([200, 201])
    expect(JSON.parse(said)).toMatchObject({ jobName: 'My first job', statusCode: 'CREATED' })
  })

  it('tells the demo clients in the sandbox only', async () => {
    for (const scope of scopes.filter((one) => one !== 'content'))
      expect(await page('/')).toContain(`demo-${scope}`)
    const real = await startHub({ profile: 'production' })
    try {
      expect(await page('/', real)).not.toMatch(/demo-|\/sandbox/)
      expect(await page('/', real)).toContain('production')
    } finally {
      await real.close()
    }
  })
})

describe('the OpenAPI document', () => {
  it('is served as it is committed, with the address of the hub', async () => {
    const { status, headers, body } = await hub.call('GET', '/openapi.json')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toEqual(JSON.parse(JSON.stringify(openapi(undefined, hub.url))))
    expect(body.servers).toEqual([{ url: hub.url }])
    const tokenUrl = `${hub.url}/connect/token`
    expect(JSON.stringify(body)).toContain(`"tokenUrl":"${tokenUrl}"`)
    const { servers: _, components: __, ...served } = body
    const committed = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
    expect(committed).toMatchObject(served)
    const etag = headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await hub.call('GET', '/openapi.json', { headers: { 'if-none-match': known } })
      expect([known, again.status, again.body]).toEqual([known, 304, ''])
    }
    const other = await hub.call('GET', '/openapi.json', {
      headers: { 'if-none-match': '"other"' },
    })
    expect(other.status).toBe(200)
  })
})

describe('the docs', () => {
  /** The commands of one kind on a page, in order. */
  const commandsOf = (path: string, kind: string): string =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        new RegExp(`^\`\`\`sh ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
      ),
    ]
      .map(([, code]) => code)
      .join('\n')

  beforeEach(() => hub.call('POST', '/sandbox/reset'))

  it('have a tour in which every call answers as the tour says', async (test) => {
    test.skip(!hasCurl, 'there is no curl on this machine')
    const tour = commandsOf('docs/tour.md', 'tour')
    const promised = [...tour.matchAll(/# (\d{3})\b/g)].map(([, status]) => Number(status))
    expect(promised.length).toBeGreaterThan(20)
    expect(tour.match(/\bcurl /g)).toHaveLength(promised.length)
    const { said, statuses } = await runShell(tour.replaceAll('http://127.0.0.1:8080', hub.url))
    expect(statuses).toEqual(promised)
    for (const [, code = ''] of tour.matchAll(/# \d{3},? ([A-Z_]{5,})/g))
      expect(said).toContain(`"${code}"`)
  })

  it('begin in the README with a file that is translated as it stands', async () => {
    const program = join(root, 'packages', 'cli', 'bin', 'dragoman.js')
    const first = commandsOf('README.md', 'first')
    const shows = 'cat de-DE/welcome.html ja-JP/welcome.html'
    const { said } = await runShell(
      `npx() { shift; node "${program}" "$@"; }\n${first}\n${shows}`,
      {
        HUB_URL: hub.url,
      },
    )
    expect(said.match(/<h1>[^<]*Ŵ[^<]*<\/h1>/g)).toHaveLength(2)
  })

  it('have commands for clients that work as they stand, beside a running hub', async () => {
    const program = join(root, 'packages', 'cli', 'bin', 'dragoman.js')
    const script = `npx() { shift; node "${program}" "$@"; }\n${commandsOf('docs/operating.md', 'clients')}`
    const { said } = await runShell(script, { DRAGOMAN_DATA: join(hub.folder, 'data') })
    const secrets = [...said.matchAll(/client_secret\s+(\S+)/g)].map(([, secret = '']) => secret)
    expect(secrets).toHaveLength(2)
    for (const secret of secrets) await expect(hub.token('acme-cms', secret)).rejects.toThrow('401')
    await runShell(`node "${program}" clients enable --id acme-cms`, {
      DRAGOMAN_DATA: join(hub.folder, 'data'),
    })
    for (const secret of secrets) expect(await hub.token('acme-cms', secret)).toMatch(/^eyJ/)
  })
})

describe('docs/settings.md', () => {
  const page = readFileSync(join(root, 'docs', 'settings.md'), 'utf8')
  const commandsOf = (kind: string): string =>
    [...page.matchAll(new RegExp(`^\`\`\`sh ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))]
      .map(([, code]) => code)
      .join('\n')

  it('has calls that answer as the page says, and commands that work', async (test) => {
    test.skip(!hasCurl, 'there is no curl on this machine')
    await hub.call('POST', '/sandbox/reset')
    const calls = commandsOf('settings')
    const promised = [...calls.matchAll(/# (\d{3})\b/g)].map(([, status]) => Number(status))
    expect(promised.length).toBeGreaterThan(8)
    const { said, statuses } = await runShell(calls.replaceAll('http://127.0.0.1:8080', hub.url))
    expect(statuses).toEqual(promised)
    for (const [, code = ''] of calls.matchAll(/# \d{3},? ([A-Z_]{5,})/g))
      expect(said).toContain(`"${code}"`)
    expect(said).toContain('<SetOrganisationAnalysisCodeResult>')
    const program = join(root, 'packages', 'cli', 'bin', 'dragoman.js')
    const { said: printed } = await runShell(
      `npx() { shift; node "${program}" "$@"; }\n${commandsOf('prices')}`,
      {
        DRAGOMAN_DATA: join(hub.folder, 'data'),
      },
    )
    expect(printed).toMatch(/^Standard is version 2 of site demo/)
    expect(JSON.parse(printed.slice(printed.indexOf('{')))).toMatchObject({
      version: 2,
      lines: [{ unitPrice: '0.145' }, {}],
    })
  })
})
