/**
 * What `dragoman push` keeps back: configuration, secrets, and languages that the engine lacks. A
 * dry run says the same as the push, and neither leaves a job behind.
 */
import { connect } from '@dragoman/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from './build-program.ts'
import { startVendorHub, type VendorHub } from './engines/vendor-hub.ts'
import { newProject, type Project } from './project.ts'

let place: VendorHub
const projects: Project[] = []
beforeAll(async () => {
  await buildProgram()
  place = await startVendorHub('sqlite')
})
afterAll(() => place.close())
afterEach(() => {
  for (const project of projects.splice(0)) project.remove()
})

const project = (files: Record<string, string>, more = 'provider: Pseudo') => {
  const yml = `source: en-US\ntargets: [de-DE]\n${more}\nfiles: ['texts/**/*']\noutput: out/{lang}/{path}\n`
  const made = newProject(place.hub.url, { 'dragoman.yml': yml, ...files })
  projects.push(made)
  return made
}
const jobs = async (): Promise<string[]> => {
  const { url } = place.hub
  const as = connect({ url, clientId: 'demo-connector', clientSecret: 'demo-connector-secret' })
  const found: string[] = []
  for await (const { jobId } of as.each('listJobs')) found.push(jobId)
  return found
}

describe('a secret', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'
  const po = (id: string) =>
    `msgid ""\nmsgstr ""\n\nmsgctxt "${id}"\nmsgid "s3cr3t-99x"\nmsgstr ""\n`
  it.each([
    ['texts/a.properties', 'mail.password=hunter2hunter2\n', 'mail.password'],
    ['texts/a.json', '{"api": {"clientSecret": "9f8e7d6c5b"}}', '#/api/clientSecret'],
    ['texts/a.yml', 'en:\n  api_token: 0a1b2c3d4e5f\n', 'api_token'],
    [
      'texts/strings.xml',
      '<resources><string name="maps_api_key">a1b2c3d4e5</string></resources>',
      'maps_api_key',
    ],
    ['texts/Localizable.strings', '"push.token" = "a1b2c3d4e5";\n', 'push.token'],
    ['texts/a.po', po('smtp password'), 'smtp password'],
    ['texts/a.csv', 'key,source\ndb.password,s3cr3t-99x\n', 'line 2'],
    ['texts/a.md', `# Keys\n\n${pem}\n`, 'a private key'],
    ['texts/a.html', '<p>AKIAIOSFODNN7EXAMPLE</p>', 'an access key of AWS'],
    ['texts/a.txt', `The token is ghp_${'a1'.repeat(18)}.`, 'a token of GitHub'],
    ['texts/odd.bin', `\u0000\u0001${pem}`, 'a private key'],
  ])('in %s stops the push and the dry run', async (path, text, where) => {
    const it = project({ [path]: text, 'texts/fine.txt': 'Fine' })
    const before = await jobs()
    for (const args of [['push'], ['push', '--dry-run']]) {
      const { code, out, err } = await it.run(args)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(`${path} holds `)
      expect(err).toContain(where)
      expect(err).toContain('nothing was sent')
      expect(err).not.toMatch(/hunter2|9f8e7d|a1b2c3|s3cr3t|MIIEow/)
    }
    expect(await jobs()).toEqual(before)
    expect((await it.run(['push', '--allow-secrets', '--json'])).code).toBe(0)
  })

  it.each([
    ['texts/a.properties', 'login.password=Password\nreset.token=Your one-time code\n'],
    ['texts/a.json', '{"password": "Passwort", "secret": "<b>S3cret!</b>", "token": "{token}"}'],
    ['texts/a.md', 'Use a password of 12 characters: `hunter2hunter2` is none.\n'],
  ])('is not a word for one: %s', async (path, text) => {
    expect((await project({ [path]: text }).run(['push', '--json'])).code).toBe(0)
  })
})

describe('configuration', () => {
  const files = {
    'texts/messages.properties': 'greeting=Hello\n',
    'texts/application.properties': 'spring.datasource.url=jdbc:h2:mem\n',
  }
  it('is skipped by a pattern, and pushed only if it is named', async () => {
    const it = project(files)
    const { code, out, err } = await it.run(['push', '--json'])
    expect(code).toBe(0)
    expect(err).toContain('Skipped configuration: texts/application.properties.')
    expect(JSON.parse(out).files.map((one: { path: string }) => one.path)).toEqual([
      'texts/messages.properties',
    ])
    const named = await it.run(['push', 'texts/application.properties', '--json'])
    expect(JSON.parse(named.out).files).toMatchObject([{ path: 'texts/application.properties' }])
  })

  it('with a password is not even then, whatever the password looks like', async () => {
    const it = project({ ...files, 'texts/application.yml': 'spring:\n  password: secret\n' })
    const { code, err } = await it.run(['push', 'texts/application.yml'])
    expect(code).toBe(1)
    expect(err).toContain('texts/application.yml holds a value that looks like a secret')
  })

  it('alone is nothing to push', async () => {
    const it = project({ 'texts/package.json': '{"name": "shop"}' })
    expect(await it.run(['push'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('All files that match are configuration: texts/package.json.'),
    })
  })
})

describe('a language that the engine lacks', () => {
  it('is refused by push and dry run, with the name of the engine, before there is a job', async () => {
    const it = project({ 'texts/a.txt': 'Good morning' }, `provider: ${place.providers.deepl}`)
    const before = await jobs()
    for (const args of [['push'], ['push', '--dry-run']]) {
      const { code, err } = await it.run([...args, '--target', 'de-DE,ka-GE'])
      expect(code).toBe(1)
      expect(err).toMatch(/The engine of .+ does not translate en-US to ka-GE, so nothing was sent/)
    }
    expect(await jobs()).toEqual(before)
    expect((await it.run(['push', '--target', 'de-AT', '--dry-run'])).code).toBe(0)
  })
})

describe('a dry run', () => {
  it('shows the words of each language also where there is no price', async () => {
    const it = project({ 'texts/a.txt': 'Good morning to all' })
    const { out } = await it.run(['push', '--dry-run'])
    expect(out).toContain('de-DE: 4 words\nNo quote: the hub has no price list for this.\n')
    const { words, quote } = JSON.parse((await it.run(['push', '--dry-run', '--json'])).out)
    expect({ words, quote }).toMatchObject({
      words: { lines: [{ bands: expect.anything() }] },
      quote: null,
    })
  })
})
