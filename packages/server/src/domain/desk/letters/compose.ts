/**
 * The texts of mail in the language of the person: names, numbers and links, and nothing of what is
 * translated. Pure.
 */
import type { Counted } from '../person-work.ts'
import { type Label, type LetterKind, type LetterLanguage, letterWords } from './words.ts'

type OfJob = Exclude<LetterKind, 'late' | 'dueTomorrow' | 'digest' | 'invited'>
export type Facts =
  | {
      readonly kind: OfJob
      readonly jobId: string
      readonly jobName: string
      /** Requests, and their words as far as they were counted. */
      readonly many?: number | undefined
      readonly words?: number | undefined
      readonly dueAt?: number | undefined
    }
  | {
      readonly kind: 'dueTomorrow' | 'late'
      readonly siteId: string
      readonly jobNames: readonly string[]
    }
  | { readonly kind: 'digest'; readonly siteId: string; readonly counts: Counted }
  | { readonly kind: 'invited'; readonly siteId: string; readonly link: string }

/** How the person reads. */
export type Reader = { readonly language?: LetterLanguage; readonly zone?: string }

/** The most names in one message. */
const mostNames = 50

export function compose(
  facts: Facts,
  hubUrl: string,
  { language = 'en', zone = 'UTC' }: Reader = {},
): { readonly subject: string; readonly text: string } {
  const words = letterWords[language]
  const [subject, says] = words[facts.kind]
  const line = (label: Label, value: string) => `${words.labels[label]}${words.colon}${value}`
  const count = (many: number) => many.toLocaleString(language)
  const fill = (text: string) =>
    text
      .replace('{name}', () => nameOf(facts, words.several, count))
      .replace('{site}', () => ('siteId' in facts ? oneLine(facts.siteId) : ''))
  const dated = (time: number) =>
    new Intl.DateTimeFormat(language, {
      ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' },
      ...{ timeZone: zone, timeZoneName: 'short' },
    } as Intl.DateTimeFormatOptions).format(time)
  const about =
    'jobName' in facts
      ? [
          line('job', oneLine(facts.jobName)),
          ...(facts.many === undefined ? [] : [line('requests', count(facts.many))]),
          ...(facts.words === undefined ? [] : [line('words', count(facts.words))]),
          ...(facts.dueAt === undefined ? [] : [line('due', dated(facts.dueAt))]),
        ]
      : 'jobNames' in facts
        ? facts.jobNames.slice(0, mostNames).map((name) => `- ${oneLine(name)}`)
        : facts.kind === 'digest'
          ? [
              line('mine', count(facts.counts.MINE)),
              line('open', count(facts.counts.OPEN)),
              line('review', count(facts.counts.REVIEW)),
            ]
          : [facts.link]
  const links =
    facts.kind === 'invited'
      ? []
      : [
          'jobId' in facts && isOfManagers(facts.kind)
            ? line('page', `${hubUrl}/jobs/${facts.jobId}`)
            : line('work', `${hubUrl}/work`),
          '',
          line('asked', `${hubUrl}/me`),
        ]
  return {
    subject: oneLine(fill(subject)),
    text: [fill(says), '', ...about, '', ...links, ''].join('\n'),
  }
}

const isOfManagers = (kind: LetterKind): boolean =>
  kind === 'delivered' || kind === 'finished' || kind === 'question'

function nameOf(facts: Facts, several: string, count: (many: number) => string): string {
  if ('jobName' in facts) return facts.jobName
  if (!('jobNames' in facts)) return ''
  const [only = ''] = facts.jobNames
  return facts.jobNames.length === 1
    ? only
    : several.replace('{many}', count(facts.jobNames.length))
}

/**
 * A name must not look like more than one line, and nothing in it may be a link: mail programs make
 * one of every address that they find.
 */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .slice(0, 200)
    .split(' ')
    .map((word) =>
      isAddress.test(word) ? word.replaceAll(':', '[:]').replaceAll('.', '[.]') : word,
    )
    .join(' ')
const isAddress = /:\/\/|^\W{0,3}www\.|^\W{0,3}mailto:|[\w-]\.[a-z]{2,24}(?:[/:?#]|$)|@/i
