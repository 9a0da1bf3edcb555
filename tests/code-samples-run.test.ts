/**
 * The samples of the reference run: every call with curl, a whole round in each other language. The
 * code, as the page shows it, is run by one process a language against a real hub, with real ids in
 * place of the sample ones, and must succeed.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, endpointNames, endpoints } from '@dragoman/contract'
import {
  type CodeLanguage,
  codeFor,
  otherCalls,
  type SampleName,
  sampleCall,
} from '@dragoman/docs/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from './formats/pack.ts'
import { startHub, type TestHub } from './hub.ts'
import { openSampleStage, placed, type SampleStage } from './sample-stage.ts'

const root = join(import.meta.dirname, '..')
const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

/** What a fixed stage cannot serve. */
const left: Partial<Record<SampleName, string>> = {
  rotateKeys: 'it changes the key of the whole hub while the other samples run',
}
/** They take away what others need. */
const last = /^(delete|end|revoke|archive|unarchive|retryTasks)/
const names: readonly SampleName[] = [...otherCalls, ...endpointNames]
  .filter((name) => left[name] === undefined)
  .sort((one, other) => Number(last.test(one)) - Number(last.test(other)))

/** A whole round, from the token to the translation: in every language. curl sends all samples. */
const round: readonly SampleName[] = [
  ...(['createToken', 'listProviders', 'createJob', 'listJobs', 'findJob', 'changeJob'] as const),
  ...([
    'createSourceFile',
    'uploadByTus',
    'addRequests',
    'submitJob',
    'listRequests',
    'listStatusUpdates',
  ] as const),
  ...([
    'retrieveFile',
    'retrieveContent',
    'approveRequests',
    'completeJob',
    'deleteJob',
    'listNodes',
  ] as const),
]

let hub: TestHub
let stage: SampleStage
let tokens: { admin: string }
const folders: string[] = []
beforeAll(async () => {
  hub = await startHub({ env: { DRAGOMAN_RATE_LIMIT: 'off' } })
  stage = await openSampleStage(hub)
})
afterAll(async () => {
  await hub.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const isOperators = (name: SampleName) =>
  name in endpoints && (endpoints[name as keyof typeof endpoints] as Endpoint).scope === 'operator'

/** The code of all samples, each with things of its own. */
async function programs(language: CodeLanguage): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const name of language === 'curl' ? names : round) {
    const who = isOperators(name)
      ? { clientId: 'demo-operator', clientSecret: 'demo-operator-secret' }
      : {}
    const token = isOperators(name) ? { token: await hub.token('demo-operator') } : {}
    const code = codeFor(language, sampleCall(name), { baseUrl: hub.url, ...who, ...token })
    made[name] = placed(code, await stage.placesOf(name))
  }
  tokens = { admin: await hub.token('demo-admin') }
  return made
}

function workplace(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-samples-'))
  folders.push(folder)
  for (const file of ['page.html', 'page.de-DE.html'])
    writeFileSync(join(folder, file), '<p>Hello</p>')
  writeFileSync(join(folder, 'terms.csv'), 'en,de\ninvoice,Rechnung\n')
  writeFileSync(
    join(folder, 'translated.zip'),
    pack([{ name: 'de-DE/page.html', content: '<p>Hallo {name}</p>' }]),
  )
  return folder
}

/** Runs a program and gives back what it wrote. */
function told(program: string, args: readonly string[], cwd: string, input = ''): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    TOKEN: tokens.admin,
    CLIENT_ID: 'demo-admin',
    CLIENT_SECRET: 'demo-admin-secret',
  }
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd, env, maxBuffer: 64 * 1024 ** 2 },
      (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}\n${out}`)) : resolve(out),
    )
    child.stdin?.end(input)
  })
}

/** What each sample answered, for the ones that failed. */
const failed = (told: string): [string, string][] =>
  Object.entries(JSON.parse(told) as Record<string, string>).filter(([, text]) => text !== 'ok')

describe('the samples answer as they promise', () => {
  it('with curl', async (test) => {
    test.skip(!isThere('curl'), 'there is no curl on this machine')
    const code = await programs('curl')
    const cwd = workplace()
    const seen = join(cwd, 'seen')
    mkdirSync(seen)
    const watched = `curl() { n=$(ls "$SEEN" | wc -l); command curl -D "$SEEN/$(printf %04d "$n")" "$@"; }`
    const script = Object.entries(code).map(
      ([name, text]) => `SEEN=${seen}/${name}; mkdir "$SEEN"\n( ${text} )`,
    )
    await told('sh', ['-u', '-c', `${watched}\n${script.join('\n')}`], cwd)
    const heard = names.map((name) => {
      const heads = readdirSync(join(seen, name)).sort()
      const [first = '', ...more] = heads.map((head) =>
        readFileSync(join(seen, name, head), 'utf8'),
      )
      const statuses = [...first.matchAll(/^HTTP\/\S+ (\d+)/gm)].map(([, status]) => Number(status))
      return [name, statuses[0], more.every((head) => /^HTTP\/\S+ 2/.test(head))]
    })
    // Of an upload in pieces only the last call leaves its headers: the sample itself reads those
    // of the first.
    const promised = (name: SampleName) => (name === 'uploadByTus' ? 204 : sampleCall(name).status)
    expect(heard).toEqual(names.map((name) => [name, promised(name), true]))
  })

  it('with the SDK', async () => {
    const cwd = workplace(join(root, '.build'))
    for (const [name, code] of Object.entries(await programs('sdk')))
      writeFileSync(join(cwd, `${name}.mjs`), code)
    const driver = `const said = {}
console.log = () => {}
for (const name of ${JSON.stringify(round)}) said[name] = await import(\`./\${name}.mjs\`).then(() => 'ok', (error) => String(error))
process.stdout.write(JSON.stringify(said))
process.exit(0)`
    writeFileSync(join(cwd, 'all.mjs'), driver)
    expect(failed(await told(process.execPath, ['all.mjs'], cwd))).toEqual([])
  })

  it('with Python', async (test) => {
    test.skip(!isThere('python3'), 'there is no python3 on this machine')
    const driver = `import contextlib, io, json, sys
said = {}
for name, code in json.load(sys.stdin).items():
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, name, "exec"), {})
        said[name] = "ok"
    except Exception as error:
        said[name] = str(error) + (error.read().decode() if hasattr(error, "read") else "")
print(json.dumps(said))`
    expect(
      failed(
        await told(
          'python3',
          ['-c', driver],
          workplace(),
          JSON.stringify(await programs('python')),
        ),
      ),
    ).toEqual([])
  })

  it('with PHP', async (test) => {
    test.skip(!isThere('php'), 'there is no php on this machine')
    const driver = `set_error_handler(function ($no, $text) { throw new ErrorException($text); });
$said = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $name => $code) {
  ob_start();
  try { (function ($code) { eval(substr($code, 5)); })($code); $said[$name] = 'ok'; } catch (Throwable $e) { $said[$name] = $e->getMessage(); }
  ob_end_clean();
}
echo json_encode($said);`
    expect(
      failed(await told('php', ['-r', driver], workplace(), JSON.stringify(await programs('php')))),
    ).toEqual([])
  })

  it('with Java', async (test) => {
    test.skip(!isThere('javac'), 'there is no javac on this machine')
    const cwd = workplace()
    const code = await programs('java')
    const classes = Object.entries(code).map(([name, text]) => {
      const className = /public class (\w+)/.exec(text)?.[1] ?? ''
      writeFileSync(join(cwd, `${className}.java`), text)
      return `said(out, "${name}", () -> ${className}.main(new String[0]));`
    })
    const driver = `import java.io.*;
public class All {
  interface Run { void run() throws Exception; }
  static void said(PrintStream out, String name, Run run) {
    var text = new ByteArrayOutputStream();
    System.setOut(new PrintStream(text));
    try { run.run(); } catch (Exception error) { System.out.print(error); }
    var first = text.toString().split("\\n", 2)[0];
    out.println(name + " " + (first.matches("2\\\\d\\\\d.*") ? "ok" : first));
  }
  public static void main(String[] args) { var out = System.out; ${classes.join('\n')} out.flush(); System.exit(0); }
}`
    writeFileSync(join(cwd, 'All.java'), driver)
    await told(
      'javac',
      ['-proc:none', '-d', 'out', ...readdirSync(cwd).filter((file) => file.endsWith('.java'))],
      cwd,
    )
    const lines = (await told('java', ['-XX:TieredStopAtLevel=1', '-cp', 'out', 'All'], cwd))
      .trim()
      .split('\n')
    expect(lines.filter((line) => !line.endsWith(' ok'))).toEqual([])
    expect(lines).toHaveLength(round.length)
  })
})
