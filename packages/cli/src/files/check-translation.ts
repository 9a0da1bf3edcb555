/** `dragoman check SOURCE TRANSLATION`: the checks of a delivery on two files; needs no hub. */
import { exitCodes, type Screen, UsageError } from '../command.ts'
import { count, json } from '../table.ts'
import { formatGiven, namingFile, readGiven } from './read-file.ts'

export type TranslationAsked = {
  readonly source: string
  readonly translation: string
  readonly sourceLanguage: string | undefined
  readonly targetLanguage: string | undefined
  readonly format: string | undefined
  readonly blocking: boolean
  readonly json: boolean
}

export async function checkTranslatedFile(
  screen: Screen,
  asked: TranslationAsked,
): Promise<number> {
  const { source, translation, sourceLanguage = 'en', targetLanguage } = asked
  if (targetLanguage === undefined)
    throw new UsageError(
      'Name the language of the translation with --target-language, such as de-DE.',
    )
  const format = formatGiven(asked.format)
  const [before, after] = [await readGiven(screen, source), await readGiven(screen, translation)]
  const { checkFile, formatOf } = await import('@dragoman/text')
  if (format === undefined) {
    const [own, other] = [formatOf(source, before), formatOf(translation, after)]
    if (own !== undefined && own !== other)
      throw new Error(
        `${source} is ${own}, but ${translation} is ${other ?? 'of a format that is not known'}: a translation has the format of its source.`,
      )
  }
  const how = { sourceLanguage, targetLanguage, format }
  const checked = namingFile(source, () => checkFile(source, before, after, how))
  const { invalid, differences, compared } = checked
  const findings = checked.findings.filter(
    ({ severity }) => !asked.blocking || severity === 'BLOCKING',
  )
  const isClean = invalid === undefined && differences.length + findings.length === 0
  if (asked.json) screen.out(json({ clean: isClean, ...checked, findings }))
  else {
    if (invalid !== undefined) screen.out(`${translation}: ${invalid}`)
    for (const sentence of differences) screen.out(sentence)
    for (const { severity, check, id, message } of findings)
      screen.out(`${severity}: ${check}: ${id}: ${message}`)
    const found = count(findings.length + differences.length, 'finding')
    if (invalid === undefined)
      screen.out(`${isClean ? 'Nothing was found' : found} in ${count(compared, 'text')}.`)
  }
  return isClean ? exitCodes.done : exitCodes.refused
}
