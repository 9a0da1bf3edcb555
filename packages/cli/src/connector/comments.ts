/** `dragoman comments`: what was asked and noted at a job, and the answers. */
import type { Comment } from '@dragoman/contract/wire'
import { type Command, flag, readArgs, text, UsageError } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'
import { whichJob } from './which-job.ts'

export const comments: Command = {
  says: 'list comments of a job, ask, and answer',
  help: `Usage: dragoman comments [--job JOBID] [--open] [OPTION]…
       dragoman comments --ask TEXT | --note TEXT [--job JOBID] [--request REQUESTID]
       dragoman comments --answer COMMENTID --text TEXT [--job JOBID]

Lists the comments and questions of a job that its connector sees, asks the team, or answers.

  --open             only questions that nobody has answered
  --ask TEXT         ask the team of the provider
  --note TEXT        tell it something
  --request ID       the request that it is about
  --answer COMMENTID answer this question, with --text
  --text TEXT        the answer
  --job JOBID        the job (default: the last one you pushed)
${hubHelp}`,
  run: async (args, screen) => {
    const { values } = readArgs({
      args,
      options: {
        ...hubOptions,
        ...{ job: text, open: flag, ask: text, note: text, request: text },
        ...{ answer: text, text },
      },
    })
    const { ask, note, answer, request } = values
    if ([ask, note, answer].filter((one) => one !== undefined).length > 1)
      throw new UsageError('Give one of --ask, --note and --answer.')
    if ((answer === undefined) !== (values.text === undefined))
      throw new UsageError('--answer and --text belong together.')
    const joined = await joinHub(values, screen)
    const jobId = await whichJob(joined, values.job)
    const told = (comment: Comment) => {
      screen.out(values.json ? json(comment) : `Comment ${comment.commentId} is ${comment.state}.`)
      return 0
    }
    return withVersions(joined, async () => {
      const { hub } = joined
      if (answer !== undefined)
        return told(
          await hub.answerComment({
            params: { jobId, commentId: answer },
            body: { answer: { text: values.text ?? '' } },
          }),
        )
      const said = ask ?? note
      if (said !== undefined)
        return told(
          await hub.createComment({
            params: { jobId },
            body: {
              ...{ kind: ask === undefined ? 'NOTE' : 'QUESTION', to: 'TEAM', text: said },
              ...(request !== undefined && { requestId: request }),
            },
          }),
        )
      const found: Comment[] = []
      const query = {
        ...(values.open && { state: 'OPEN' as const, kind: 'QUESTION' as const }),
        ...(request !== undefined && { requestId: request }),
      }
      for await (const one of hub.each('listComments', { params: { jobId }, query }))
        found.push(one)
      if (values.json) screen.out(json(found))
      else
        showTable(
          screen,
          found,
          [
            { title: 'COMMENT', of: (one) => one.commentId },
            { title: 'KIND', of: (one) => one.kind },
            { title: 'STATE', of: (one) => one.state },
            { title: 'BY', of: (one) => one.by },
            { title: 'TEXT', of: (one) => one.text },
          ],
          'There are no comments.',
        )
      return 0
    })
  },
}
