/**
 * `dragoman quote`: what a push would cost, or what a job costs: words, bands and money per
 * language.
 */
import type { JobWords, Quote } from '@dragoman/contract/wire'
import { type Command, exitCodes, readArgs, type Screen } from '../command.ts'
import { json, showTable } from '../table.ts'
import { hubHelp, hubOptions, joinHub, withVersions } from './hub-connection.ts'
import { pushOptions } from './push/push.ts'
import { planPush } from './push/push-plan.ts'
import { tryPush } from './push/try-push.ts'
import { noQuote, readQuote } from './quote-text.ts'

export const quote: Command = {
  says: 'show what a push would cost, or what a job costs',
  help: `Usage: dragoman quote [FILE|FOLDER|GLOB]… [OPTION]…
       dragoman quote --job JOBID

Counts the words of what a push would send and shows its price. No job is left behind. With --job, the quote of that
job, or only its words if the hub has no price list.

  --job JOBID        the quote of this job
  --all              every file, changed or not
  --source CODE      the language of the files
  --target LIST      the languages to translate to, separated by commas; repeatable
  --provider NAME    the provider, by name or id
${hubHelp}

Exit code: 0 done (or nothing to push), 1 refused, or the hub has no price list for it; 2, 3, 4 and 130 as in dragoman --help.`,
  run: async (args, screen) => {
    const options = { ...hubOptions, ...pushOptions, job: { type: 'string' } } as const
    const { values, positionals } = readArgs({ args, allowPositionals: true, options })
    const joined = await joinHub(values, screen)
    const asJson = values.json ?? false
    return withVersions(joined, async () => {
      if (values.job !== undefined) {
        const found = await readQuote(joined.hub, values.job)
        if (found) return tell(screen, found, asJson)
        return tellWords(
          screen,
          await joined.hub.countJobWords({ params: { jobId: values.job } }),
          asJson,
        )
      }
      const plan = await planPush(joined, values, positionals, screen)
      const tried = await tryPush(joined, plan, screen, { all: values.all ?? false })
      if (tried.plan.files.length > 0) return tell(screen, tried.quote, asJson)
      screen.out(
        asJson
          ? json({ quote: null })
          : 'Nothing has changed since the last push; --all quotes everything.',
      )
      return exitCodes.done
    })
  },
}

function tell(screen: Screen, found: Quote | undefined, asJson: boolean): number {
  if (asJson) screen.out(json({ quote: found ?? null }))
  else if (found) show(screen, found)
  else screen.out(noQuote)
  return found ? exitCodes.done : exitCodes.refused
}

/** Without a price list: the words alone. */
function tellWords(screen: Screen, words: JobWords, asJson: boolean): number {
  if (asJson) screen.out(json({ quote: null, words }))
  else {
    const rows = words.lines.flatMap(({ targetNativeLanguageCode: language, bands }) =>
      bands.filter((band) => band.words > 0).map((band) => ({ language, ...band })),
    )
    showTable(
      screen,
      rows,
      [
        { title: 'LANGUAGE', of: (row) => row.language },
        { title: 'BAND', of: (row) => row.name },
        { title: 'WORDS', of: (row) => row.words },
      ],
      'There are no words to translate.',
    )
    for (const warning of words.warnings ?? []) screen.out(warning)
    screen.out(noQuote)
  }
  return exitCodes.refused
}

function show(
  screen: Screen,
  { lines, currency, managementFee, total, complete, warnings = [] }: Quote,
): void {
  const bands = new Map<
    string,
    { language: string; band: string; words: number; segments: number }
  >()
  for (const line of lines)
    for (const { name, words, segments } of line.bands) {
      const key = `${line.targetNativeLanguageCode} ${name}`
      const row = bands.get(key) ?? {
        language: line.targetNativeLanguageCode,
        band: name,
        words: 0,
        segments: 0,
      }
      bands.set(key, { ...row, words: row.words + words, segments: row.segments + segments })
    }
  const rows = [...bands.values()].filter(({ segments }) => segments > 0)
  showTable(
    screen,
    rows,
    [
      { title: 'LANGUAGE', of: (row) => row.language },
      { title: 'BAND', of: (row) => row.band },
      { title: 'SEGMENTS', of: (row) => row.segments },
      { title: 'WORDS', of: (row) => row.words },
    ],
    'There are no words to translate.',
  )
  if (Number(managementFee) !== 0) screen.out(`Management fee: ${managementFee} ${currency}`)
  screen.out(`Total: ${total} ${currency}${complete ? '' : ' (not complete)'}`)
  for (const warning of warnings) screen.out(warning)
}
