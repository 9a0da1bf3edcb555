/**
 * The built hub as a process of its own, with its stores seen from outside: before a transaction,
 * after its work and after its commit, before, in the middle of and after each act of the blob
 * store there is a fault point, named by who acts and numbered. Told `arm`, the process kills
 * itself at that point, or after so many `points`; told `list`, it says which points it passed since. Runs the bundle of the
 * server, which knows nothing of this and starts in a third of the time of its modules.
 */
import { readFileSync } from 'node:fs'
import { readConfig, startServer } from '../../packages/server/dist/bundle/main.js'
import { originalsOf } from '../../packages/server/dist/process/source-lines.js'

let armed = process.env.FAULT_AT
let passed = []
let counts = new Map()
/** So many points from now on it dies, whatever they are called. */
let left

/** Points have no names: that is faster, if it is told their number alone. */
const isPlain = process.env.FAULT_PLAIN !== undefined

/** These come as time passes, more or fewer of them: the first of each is enough. */
const comesByTime = /recordCalls|extendLeases|keepWriter/

function point(name) {
  if (left !== undefined) left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  const count = (counts.get(name) ?? 0) + 1
  if (isPlain) return
  counts.set(name, count)
  if (count > 1 && comesByTime.test(name)) return
  const id = `${name} #${count}`
  passed.push(id)
  // Sent to ourselves, it is there before the call returns: nothing runs after it.
  if (id === armed) process.kill(process.pid, 'SIGKILL')
}

/**
 * The two nearest functions of the server, without lines, so that a name survives an edit above it.
 */
function actor() {
  if (isPlain) return ''
  const frames = (new Error().stack ?? '').split('\n').flatMap((line) => {
    const found =
      /at (?:async )?(?:(\S+)(?: \[as \S+\])? \(|.*?)(?:file:\/\/)?\S*\/dist\/bundle\/([\w-]+\.js):(\d+):/.exec(
        line,
      )
    const file = found && sourceAt(found[2], Number(found[3]))
    return file
      ? [`${file}${found[1] && !found[1].includes('<anonymous>') ? `/${found[1]}` : ''}`]
      : []
  })
  return [...new Set(frames)].slice(0, 2).join(' < ')
}

const sources = new Map()

/** The name of the server's source at this line of the bundle; nothing for a package. */
function sourceAt(file, line) {
  if (!sources.has(file)) sources.set(file, sourcesOfLines(file))
  return sources.get(file)[line - 1]
}

/** By the source map: no line of the bundle has parts of two sources. */
function sourcesOfLines(file) {
  const read = (name) =>
    readFileSync(new URL(`../../packages/server/dist/bundle/${name}`, import.meta.url), 'utf8')
  const { mappings, sources: paths } = JSON.parse(read(`${file}.map`))
  const ends = read(file)
    .split('\n')
    .map((text, line) => ({ line, column: text.length }))
  return originalsOf(mappings, ends).map(
    (found) => found && /^\.\.\/\.\.\/src\/(?:.*\/)?([^/]+)\.ts$/.exec(paths[found.source])?.[1],
  )
}

const isNothing = (result) => Array.isArray(result) && result.length === 0

function seenDatabase(db) {
  return {
    ...db,
    transact: async (work) => {
      const name = actor()
      // The poll claims at any time, mostly nothing: only what it gets is a point.
      const isClaim = name.includes('claimTasks')
      if (!isClaim) point(`${name}: before`)
      const result = await db.transact(async (tx) => {
        const found = await work(tx)
        if (!(isClaim && isNothing(found))) point(`${name}: before commit`)
        return found
      })
      if (!(isClaim && isNothing(result))) point(`${name}: after commit`)
      return result
    },
  }
}

const acts = ['put', 'begin', 'append', 'finish', 'abandon', 'open', 'size', 'remove', 'sweep']

function seenBlobs(blobs) {
  const seen = { ...blobs }
  for (const act of acts)
    seen[act] = async (...given) => {
      point(`blobs.${act}: before`)
      const result = await blobs[act](
        ...given.map((one) => (isSource(one) ? inTheMiddle(one, act) : one)),
      )
      point(`blobs.${act}: after`)
      return result
    }
  return seen
}

const isSource = (given) =>
  typeof given === 'object' && given !== null && Symbol.asyncIterator in given

async function* inTheMiddle(bytes, act) {
  for await (const chunk of bytes) {
    yield chunk
    point(`blobs.${act}: between bytes`)
  }
}

process.on('message', ({ arm, list, points }) => {
  left = points
  if (list) process.send({ passed })
  else {
    armed = arm
    passed = []
    counts = new Map()
    process.send({ armed: true })
  }
})
process.on('disconnect', () => process.exit(1))

const { FAULT_AT, FAULT_PLAIN, NODE_CHANNEL_FD, ...env } = process.env
const server = await startServer(readConfig(env), {
  wrap: (hub) => ({ ...hub, db: seenDatabase(hub.db), blobs: seenBlobs(hub.blobs) }),
})
process.send({ url: server.url })
