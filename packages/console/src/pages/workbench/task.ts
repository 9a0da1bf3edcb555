/** The asset task at hand: where it is, its languages, and what may be done with it. */
import type { Assignee, Share, TextParts } from '@dragoman/contract/wire'

export type At = {
  readonly providerId: string
  readonly jobId: string
  readonly assetTaskId: string
}
export type Task = {
  readonly at: At
  readonly task: {
    readonly requestName: string
    readonly sourceNativeLanguageCode: string
    readonly targetNativeLanguageCode: string
    /** A provider and a connector have different names for the status. */
    readonly statusCode: string
    readonly filename?: string
    /** Only a request in review has it. */
    readonly fileName?: string
    readonly fileId?: string
    readonly warnings?: readonly string[]
    readonly rejectNote?: string
    readonly assignee?: Assignee
    readonly shares?: readonly Share[]
    readonly segments?: boolean
  }
  readonly jobName: string | undefined
  readonly dueDate: string | undefined
  /** What its connector says of the job. */
  readonly description: string | undefined
}

/** Delivered, or cancelled: nothing more to translate. */
export const isOver = ({ task }: Task): boolean =>
  ['TRANSLATION_SUBMITTED', 'REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'CANCELLED'].includes(
    task.statusCode,
  )

export const isInReview = ({ task }: Task): boolean =>
  task.statusCode === 'TRANSLATION_SUBMITTED' || task.statusCode === 'REVIEW_TRANSLATION'

export const pairOf = ({ task }: Task) => ({
  sourceNativeLanguageCode: task.sourceNativeLanguageCode,
  targetNativeLanguageCode: task.targetNativeLanguageCode,
})

/** The same text always has the same name, to find repetitions. */
export const textKey = (text: TextParts): string => JSON.stringify(text)

/** The words of a text, as the browser cuts them: for the progress, not for a price. */
const cut = new Intl.Segmenter(undefined, { granularity: 'word' })
export function countWords(text: TextParts): number {
  let count = 0
  for (const part of text)
    if (typeof part === 'string')
      for (const { isWordLike } of cut.segment(part)) if (isWordLike) count++
  return count
}
