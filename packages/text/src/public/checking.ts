/** Checks translations of texts and files, as the hub checks what a provider delivers. */
import type { CheckName, CheckSeverity, FormatId, MaxLength } from '@dragoman/contract/wire'
import { checkText } from '../checks/check-text.ts'
import { checkTexts, type TextUnit } from '../checks/check-texts.ts'
import { isLayoutOnly, unitsOf } from '../checks/file-units.ts'
import { withTerms } from '../checks/judge-texts.ts'
import { termSentences } from '../checks/term-sentences.ts'
import { compareSegments } from '../formats/compare-delivery.ts'
import { optionsOf } from '../formats/find-format.ts'
import { judgeRead } from '../formats/whole-files.ts'
import { type FileOptions, openNamed } from './files.ts'
import type { LanguagePair, TermList } from './term-list.ts'

/** Something that is wrong with a translation. */
export type Finding = {
  /** The name of the check, such as `numbers`. */
  readonly check: CheckName
  /** Whether it blocks a delivery to a hub, or only warns. */
  readonly severity: CheckSeverity
  /** What is wrong, in a sentence. */
  readonly message: string
}

/** A finding in a text, with its remedy if there is one. */
export type TextFinding = Finding & {
  /** The translation without the mistake. */
  readonly fix?: string
}

/** A finding in a file. */
export type FileFinding = Finding & {
  /** The id of the segment. */
  readonly id: string
}

/** What is wrong with a translated file. */
export type FileCheck = {
  /** The format of the source. */
  readonly format: FormatId
  /** The number of texts that were compared. */
  readonly compared: number
  /** Why the translation is no file of this format; nothing was compared then. */
  readonly invalid?: string
  /** How the files differ as a whole, in sentences: texts that are missing, added or open. */
  readonly differences: readonly string[]
  /** What is wrong with single texts, in the order of the file. */
  readonly findings: readonly FileFinding[]
}

/** A text and its translation. */
export type Translated = LanguagePair & {
  /** The text, with its placeholders and tags. */
  readonly source: string
  /** Its translation. */
  readonly translation: string
  /** How long the translation may be. */
  readonly maxLength?: MaxLength | undefined
  /** The terms to use. */
  readonly terms?: TermList | undefined
}

/**
 * Checks the translation of a text: placeholders and tags, numbers, punctuation, spaces, links,
 * terms and more.
 *
 * @example
 * import { checkTranslation } from '@dragoman/text'
 *
 * const [finding] = checkTranslation({
 *   source: 'Pay {amount} by 31 May.',
 *   translation: 'Zahlen Sie bis 31. Mai.',
 *   sourceLanguage: 'en',
 *   targetLanguage: 'de',
 * })
 * console.log(finding?.check, finding?.severity) // tags.missing BLOCKING
 */
export function checkTranslation(given: Translated): TextFinding[] {
  const { source, translation, terms, ...rest } = given
  const pair = { ...rest, source: [source], tags: [], target: [translation] }
  const said = terms && termSentences(terms.matcher, pair.source, pair.target)
  return checkText({ ...pair, terms: said }).map(({ check, severity, message, fix }) => ({
    check,
    severity,
    message,
    ...(fix && { fix: fix.filter((part) => typeof part === 'string').join('') }),
  }))
}

/**
 * Checks a translated file against its source: each text, and whether any is missing, added or not
 * translated. Throws a FormatError if the format is unknown or the source is broken.
 *
 * @example
 * import { checkFile } from '@dragoman/text'
 *
 * const bytesOf = (text: string) => new TextEncoder().encode(text)
 * const english = bytesOf('{"total": "5 files", "bye": "See you, {name}!"}')
 * const german = bytesOf('{"total": "6 Dateien"}')
 * const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
 * const { differences, findings } = checkFile('en.json', english, german, languages)
 * console.log(differences[0]) // Lost units: #/bye.
 * console.log(findings[0]?.id, findings[0]?.check) // #/total numbers
 */
export function checkFile(
  fileName: string,
  source: Uint8Array,
  translation: Uint8Array,
  options: LanguagePair & FileOptions & { readonly terms?: TermList | undefined },
): FileCheck {
  const { sourceLanguage, targetLanguage, terms, ...how } = options
  const { format, named } = openNamed(fileName, source, { ...how, targetLanguage, about: true })
  const before = format.read(source, optionsOf(named))
  let units: TextUnit[] = []
  const { invalid, warnings } = judgeRead(format, named, source, translation, (after) => {
    units = unitsOf(before, after, isLayoutOnly(format.id), undefined)
    return compareSegments(before, after, { codes: false })
  })
  const checked = terms ? withTerms(units, terms.matcher) : units
  const found = checkTexts(checked, { sourceLanguage, targetLanguage, mends: false })
  return {
    format: format.id,
    compared: units.length,
    ...(invalid !== undefined && { invalid }),
    differences: warnings,
    findings: found.flatMap(({ id, findings }) =>
      findings.map(({ check, severity, message }) => ({ id, check, severity, message })),
    ),
  }
}
