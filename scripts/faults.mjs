/**
 * `npm run faults`: runs the fault campaigns in full. Builds, runs them one after another, and
 * prints one line each and a total. The machine should be idle; `npm run test:all` runs a small
 * sample of each.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildServer } from './build-server.mjs'
import { build, install, mustHaveNode, root } from './prepare.mjs'

/** Each with the file of its campaign. */
const files = {
  cuts: 'transfer',
  races: 'transfer',
  stalls: 'transfer',
  power: 'transfer',
  memory: 'transfer',
  sealed: 'transfer',
  round: 'round',
  desk: 'round',
  engine: 'round',
  histories: 'round',
  walk: 'walk',
  push: 'push',
  backup: 'backup',
  attacks: 'attacks',
  failover: 'availability',
  rolling: 'availability',
  upstream: 'upstream',
}
const groups = Object.keys(files)
const sizes = {
  megabytes: 1024,
  cuts: 200,
  races: 200,
  stalls: 6,
  power: 20,
  minutes: 30,
  every: 1,
  histories: 1000,
  walks: 10_000,
  kills: 50,
  calls: 20_000,
  promotions: 20,
  restarts: 20,
  jobs: 500,
  seed: 1,
}

const help = `Usage: npm run faults -- [--only ${groups.join(',')}] [--SIZE NUMBER]...

  --only       the groups to run, with commas between them; all of them otherwise
  --megabytes  of the file that is uploaded and cut, and moved while memory is watched (${sizes.megabytes})
  --cuts       of the line and of the hub during uploads, to disk and to object storage together (${sizes.cuts})
  --races      of two writers on one upload, on one node and on two together (${sizes.races})
  --stalls     of a node past its lease in the middle of an upload (${sizes.stalls})
  --power      cuts of the power (${sizes.power}), and a fifth as many without flushing, which must lose
  --minutes    after which a campaign of file transfer begins no new round (${sizes.minutes})
  --every      how manieth fault point of the round, the desk and an engine the hub is killed at (${sizes.every}: at all)
  --point      only the fault points whose names have this in them, such as sendJob
  --histories  jobs that several clients walk over at once (${sizes.histories})
  --walks      over a job by everybody who has to do with it, compared with a model, on each database (${sizes.walks})
  --kills      pushes, backups and moves of the command line that are killed at random moments (${sizes.kills})
  --calls      of the fuzz by schema on each database (${sizes.calls}); the other attacks are sized by it
  --promotions of the standby, after the primary of PostgreSQL was killed (${sizes.promotions})
  --restarts   of two nodes behind nginx, one after the other (${sizes.restarts})
  --jobs       through three hubs in a row, whose nodes are killed meanwhile (${sizes.jobs})
  --part       only the attacks whose names have this in them, such as soap
  --each       prints each call of the attacks that judge calls one by one
  --seed       of every choice that an attack or a walk makes (${sizes.seed})`

const options = {
  only: { type: 'string' },
  point: { type: 'string' },
  part: { type: 'string' },
  each: { type: 'boolean' },
  help: { type: 'boolean' },
}
for (const name of Object.keys(sizes)) options[name] = { type: 'string' }
const size = read()

mustHaveNode()
await install()
await build()
await buildServer()

const report = join(tmpdir(), `dragoman-faults-${process.pid}.jsonl`)
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const command = [
  vitest,
  'run',
  '-c',
  join(root, 'tests/campaigns/vitest.config.mjs'),
  '--reporter=dot',
]
command.push(...new Set(size.only.map((name) => `tests/campaigns/${files[name]}.campaign.ts`)))
const env = { ...process.env, DRAGOMAN_FAULTS: JSON.stringify({ ...size, report }) }
const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env })

const said = existsSync(report)
  ? readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : []
rmSync(report, { force: true })
const sum = (name) => said.reduce((total, one) => total + (one[name] ?? 0), 0)
console.log('')
for (const { line } of said) console.log(line)
const notRun = said.filter((one) => one.notRun).length
console.log(
  `\n${said.length - notRun} campaigns, ${sum('rounds')} rounds: ${sum('lost')} lost, ${sum('doubled')} doubled, ${sum('leaked')} leaked, ${sum('found')} found${notRun > 0 ? `; ${notRun} campaigns were not run` : ''}`,
)
process.exitCode = status === 0 && said.length > 0 ? 0 : 1

function read() {
  const { values } = parse()
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  const only = values.only?.split(',') ?? groups
  const unknown = only.find((name) => !groups.includes(name))
  if (unknown !== undefined) refuse(`There is no group ${unknown}.`)
  const chosen = { only, point: values.point, part: values.part, each: values.each }
  for (const [name, usual] of Object.entries(sizes)) {
    chosen[name] = Number(values[name] ?? usual)
    if (!(chosen[name] > 0)) refuse(`--${name} must be a number above 0.`)
  }
  return chosen
}

function parse() {
  try {
    return parseArgs({ options })
  } catch (error) {
    return refuse(error.message)
  }
}

function refuse(why) {
  console.error(`${why}\n\n${help}`)
  process.exit(2)
}
