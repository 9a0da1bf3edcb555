/**
 * Attacks by a project that somebody else has written, and by names that they chose: the secret of
 * the machine goes to nobody who was not named by its user, nothing is written into a repository,
 * and no terminal is taken over. The command line runs as a process.
 */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { buildProgram } from '../build-program.ts'
import { bootstrapId, type TestHub } from '../hub.ts'
import { newProject } from '../project.ts'
import type { BreakIn } from './break-in.ts'

const secret = 'a-secret-of-this-machine'
const credentials = { HUB_CLIENT_ID: 'acme', HUB_CLIENT_SECRET: secret }

/** A thief's hub: what it was sent. */
async function openThief() {
  const heard: string[] = []
  const server = createServer((request, answer) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`)
      answer
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"status":"ok","version":"1.0.0"}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port: (server.address() as AddressInfo).port, heard, close }
}

const basic = Buffer.from(`acme:${secret}`).toString('base64')
const hasSecret = (text: string): boolean => text.includes(secret) || text.includes(basic)
const yml = (more: string) => `source: en-us\ntargets: [de-de]\nfiles: [a.txt]\n${more}`
const commands = [
  ['push'],
  ['pull'],
  ['jobs'],
  ['status'],
  ['doctor'],
  ['login'],
  ['certify', '--command', 'true'],
]

/** A client of the site, and a provider that translates at once. */
async function joined(hub: TestHub): Promise<Record<string, string>> {
  const clientId = `project-${hub.inner.clock.now()}`
  const added = await enrolClient(hub.inner, { siteId: 'main', clientId, scopes: ['content'] })
  const body = { name: 'Pseudo', typeId: 'pseudo' }
  await hub.call('POST', '/v2/providers', { as: bootstrapId, body })
  return { HUB_CLIENT_ID: clientId, HUB_CLIENT_SECRET: added.secret }
}

export const commandLineAttacks: readonly BreakIn[] = [
  {
    name: 'a dragoman.yml or a plain connection gets no secret of the environment',
    tries: async () => {
      await buildProgram()
      const thief = await openThief()
      const named = newProject('', {
        'a.txt': 'Hello',
        'dragoman.yml': yml(`hub: http://127.0.0.1:${thief.port}\n`),
      })
      const plain = newProject(`http://0.0.0.0:${thief.port}`, {
        'a.txt': 'Hello',
        'dragoman.yml': yml(''),
      })
      const found: string[] = []
      try {
        for (const project of [named, plain])
          for (const args of commands) {
            const { ran } = project.start(args, credentials)
            const { code, out, err } = await ran
            const told = thief.heard.splice(0).filter(hasSecret)
            for (const call of told) found.push(`${args[0]} sent ${call.slice(0, 200)}`)
            if (code === 0) found.push(`${args[0]} ended well: ${out}`)
            if (hasSecret(out + err)) found.push(`${args[0]} prints the secret`)
          }
      } finally {
        named.remove()
        plain.remove()
        await thief.close()
      }
      return found
    },
  },
  {
    name: 'a translation is not written into a repository, and a name takes over no terminal',
    tries: async ({ hub }) => {
      await buildProgram()
      const env = { ...(await joined(hub)), FORCE_COLOR: '1' }
      const project = newProject(hub.url, {
        'a.txt': 'Hello',
        'dragoman.yml': yml('output: .git/hooks/{lang}\nprovider: Pseudo\n'),
      })
      const found: string[] = []
      const name = 'Autumn\u001b]0;owned\u0007\u202egpj.exe'
      try {
        const said: string[] = []
        const run = async (...args: string[]) => {
          const { out, err } = await project.start(args, env).ran
          said.push(out + err)
        }
        // No call takes such a name any more; jobs of before have theirs.
        await run('push', '--name', 'Autumn')
        await hub.inner.db.transact((tx) =>
          tx.updateTable('jobs').set({ job_name: name }).where('job_name', '=', 'Autumn').execute(),
        )
        for (const args of [['pull', '--wait'], ['jobs'], ['status']]) await run(...args)
        await run('push', '--all', '--name', name)
        if (!said.join('').includes('Autumn'))
          found.push(`the name is not shown at all: ${said.join('\n')}`)
        if (!/which belongs to the repository/.test(said[1] ?? ''))
          found.push(`pull says: ${said[1]}`)
        if (existsSync(join(project.folder, '.git'))) found.push('something was written into .git')
        for (const text of said)
          if (['\u001b]', '\u0007', '\u202e'].some((mark) => text.includes(mark)))
            found.push(`the terminal gets ${JSON.stringify(text).slice(0, 200)}`)
      } finally {
        project.remove()
      }
      return found
    },
  },
]
