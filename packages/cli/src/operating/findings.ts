/** `dragoman findings`: what needs a person's attention, and what the hub offers to do about it. */
import { type Command, exitCodes, readArgs, UsageError } from '../command.ts'
import { json } from '../table.ts'
import { listCommand } from './list-command.ts'
import { reach, reachHelp, reachOptions } from './reach.ts'

const remedy: Command = {
  says: 'apply the remedy of a finding',
  help: `Usage: dragoman findings remedy ID [OPTION]…

Does what the finding offers (REMEDY in the list): retries a task, replays deliveries, enables a listener, … It is one
transaction with an entry in the audit log. If the finding no longer applies, or has no remedy, nothing is done.

${reachHelp}

Exit code: 0 done, 1 refused; 2, 3 and 4 as in dragoman --help.`,
  run: async (args, screen) => {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: reachOptions,
    })
    const [findingId, other] = positionals
    if (!findingId)
      throw new UsageError('Specify the ID of a finding; dragoman findings lists them.')
    if (other !== undefined) throw new UsageError(`"${other}" is not understood here.`)
    return reach(values, screen, async (hub) => {
      const done = await hub.call('remedyFinding', { params: { findingId } })
      screen.out(values.json ? json(done) : done.done)
      return exitCodes.done
    })
  },
}

const list = listCommand({
  name: 'findings',
  says: 'list what needs attention',
  about: `Lists what needs attention, and the remedies that the hub offers: docs/findings.md describes every rule.
Exit code: 0 if there is nothing, 1 if there are findings; 2, 3 and 4 as in dragoman --help.

  remedy ID  ${remedy.says}`,
  call: 'listFindings',
  filters: {
    site: { query: 'siteId', shown: 'NAME', says: 'only findings of this site' },
    rule: { query: 'rule', shown: 'NAME', says: 'only findings of this rule' },
    severity: {
      query: 'severity',
      shown: 'NAME',
      says: 'only error or only warning',
      values: ['error', 'warning'],
    },
  },
  columns: [
    { title: 'SEVERITY', of: (one) => one.severity },
    { title: 'SITE', of: (one) => one.siteId },
    { title: 'SINCE', of: (one) => one.since.slice(0, 16).replace('T', ' ') },
    { title: 'FINDING', of: (one) => one.sentence },
    { title: 'WHAT TO DO', of: (one) => one.advice },
    { title: 'REMEDY', of: (one) => one.remedy?.name },
    { title: 'ID', of: (one) => one.findingId },
  ],
  none: 'Nothing needs attention.',
  code: (found) => (found.length > 0 ? exitCodes.refused : exitCodes.done),
})

export const findings: Command = { ...list, verbs: { remedy } }
