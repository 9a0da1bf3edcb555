/**
 * `dragoman push`: sends files as one job to a provider. If interrupted, the same command continues
 * where it stopped; run again after success, it says so and sends nothing.
 */
import { type Command, exitCodes, flag, many, readArgs, text } from '../../command.ts'
import { interruptible } from '../../interrupt.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from '../hub-connection.ts'
import { planPush } from './push-plan.ts'
import { withLock } from './push-state.ts'
import { runPush, tellPush } from './run-push.ts'
import { tellTried, tryPush } from './try-push.ts'

/** Options of what a push is made of; quote has them, too. */
export const pushOptions = {
  ...hubOptions,
  source: text,
  target: many,
  provider: text,
  label: many,
  name: text,
  po: text,
  due: text,
  segmentation: text,
  'allow-secrets': flag,
  all: { type: 'boolean' },
} as const

export const push: Command = {
  says: 'send files or folders to a provider as one job',
  help: `Usage: dragoman push [FILE|FOLDER|GLOB]… [OPTION]…

Uploads what changed since the last push, creates one job with a request for each file and language, and submits it.
A new language gets every file. Without arguments and options it uses dragoman.yml. If it is interrupted, run it again
to continue.

  --source CODE      the language of the files
  --target LIST      the languages to translate to, separated by commas; repeatable
  --provider NAME    the provider, by name or id; optional if the site has only one
  --label LABEL      a label of the job; repeatable
  --name TEXT        the name of the job
  --po TEXT          the purchase order
  --due TIME         the due date, such as 2027-03-01
  --segmentation HOW sentences or paragraphs (default): how running text is split, for the translator and for the price
  --dry-run          show what would be sent and what it would cost; deletes the draft afterwards
  --allow-secrets    send files even if something in them looks like a password, a token or a private key
  --all              push every file, changed or not (--again is the same)
${hubHelp}

Exit code: 0 done (or nothing to do), 1 refused, 2 invalid arguments, 3 hub not reachable,
4 credentials refused, 130 interrupted.`,
  run: async (args, screen) => {
    const options = { ...pushOptions, 'dry-run': flag, again: flag }
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const joined = await joinHub(values, screen)
    const plan = await planPush(joined, values, positionals, screen)
    const asJson = values.json ?? false
    const all = values.all || values.again || false
    return withVersions(joined, async () => {
      if (values['dry-run']) {
        const tried = await tryPush(joined, plan, screen, { all, asPush: true })
        tellTried(screen, tried, asJson)
      } else
        await withLock(joined.folder, async () => {
          const says = 'Interrupted. Run the same command again to continue; nothing is sent twice.'
          const pushed = await interruptible(says, (signal) =>
            runPush(joined, plan, screen, { asJson, all, signal }),
          )
          tellPush(screen, pushed, asJson)
        })
      return exitCodes.done
    })
  },
}
