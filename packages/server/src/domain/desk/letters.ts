/** The texts of mail: names, numbers and links, and nothing of what is translated. Pure. */
import type { Counted } from './person-work.ts'

export type Facts =
  | {
      readonly kind: 'newWork' | 'given' | 'rejected'
      readonly jobName: string
      readonly many: number
    }
  | { readonly kind: 'dueTomorrow'; readonly siteId: string; readonly jobNames: readonly string[] }
  | { readonly kind: 'digest'; readonly siteId: string; readonly counts: Counted }

/** The most names in one message. */
const mostNames = 50

export function compose(
  facts: Facts,
  hubUrl: string,
): { readonly subject: string; readonly text: string } {
  const { subject, lines } = written(facts)
  const foot = [
    '',
    `Your work: ${hubUrl}/work`,
    '',
    `You asked for this message. Change that here: ${hubUrl}/me`,
    '',
  ]
  return { subject: oneLine(subject), text: [...lines, ...foot].join('\n') }
}

function written(facts: Facts): { subject: string; lines: string[] } {
  switch (facts.kind) {
    case 'newWork':
      return {
        subject: `New work: ${facts.jobName}`,
        lines: [
          `The job "${oneLine(facts.jobName)}" has ${requests(facts.many)} that nobody has claimed.`,
        ],
      }
    case 'given':
      return {
        subject: `Work for you: ${facts.jobName}`,
        lines: [
          `Somebody gave you work. You now have ${requests(facts.many)} of the job "${oneLine(facts.jobName)}".`,
        ],
      }
    case 'rejected':
      return {
        subject: `Rejected: ${facts.jobName}`,
        lines: [
          `A reviewer rejected work of yours in the job "${oneLine(facts.jobName)}". You have ${requests(facts.many)} of it to deliver.`,
        ],
      }
    case 'dueTomorrow':
      return {
        subject: `Due tomorrow: ${facts.jobNames.length === 1 ? facts.jobNames[0] : `${facts.jobNames.length} jobs`}`,
        lines: [
          `Work of yours on ${facts.siteId} is due tomorrow:`,
          ...facts.jobNames.slice(0, mostNames).map((name) => `- ${oneLine(name)}`),
        ],
      }
    case 'digest': {
      const { MINE, OPEN, REVIEW } = facts.counts
      return {
        subject: `Your work on ${facts.siteId}`,
        lines: [
          `Claimed by you: ${MINE}`,
          `Claimed by nobody: ${OPEN}`,
          `Waiting for your review: ${REVIEW}`,
        ],
      }
    }
  }
}

const requests = (many: number): string => (many === 1 ? '1 request' : `${many} requests`)

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
