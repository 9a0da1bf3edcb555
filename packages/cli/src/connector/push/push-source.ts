/**
 * The source language of a push. A language without a region, such as `en`, is the one that the
 * providers of the site translate from, if there is only one; else three of them are proposed.
 */
import { findLanguage, likelyLanguages, relatedLanguages } from '@dragoman/contract/wire'
import { canAsk, withAsk } from '../../ask.ts'
import type { Screen } from '../../command.ts'
import type { Joined } from '../hub-connection.ts'

export async function sourceFor(
  { hub, project }: Joined,
  code: string,
  screen: Screen,
): Promise<string> {
  const given =
    project.languages && Object.hasOwn(project.languages, code) ? project.languages[code] : code
  const related = relatedLanguages(code)
  if (given !== code || findLanguage(code) !== undefined || related.length === 0) return code
  const here = new Set<string>()
  for await (const { status, capabilities } of hub.each('listProviders'))
    if (status === 'ENABLED')
      for (const { sources } of capabilities.supportedLanguages ?? [])
        for (const one of sources) {
          const known = findLanguage(one)
          if (known !== undefined && related.includes(known)) here.add(known)
        }
  const [only] = here
  if (only !== undefined && here.size === 1) {
    screen.err(`The source language ${code} is ${only} on this site.`)
    return only
  }
  if (!canAsk(screen)) return code
  const choices = [...new Set([...here, ...likelyLanguages(code)])].slice(0, 3)
  return withAsk((ask) =>
    ask.text(`Which ${code} are the files in (${choices.join(', ')})`, choices[0]),
  )
}
