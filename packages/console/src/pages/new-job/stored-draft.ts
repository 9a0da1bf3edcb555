/**
 * The draft in this browser: the form, and what interrupted uploads need to resume. The job itself
 * is at the hub.
 */
import { storeChoice, storedChoice } from '../../stored-choices.ts'
import { type DraftFile, emptyForm, type Form } from './form.ts'

type StoredDraft = {
  readonly form: Form
  readonly files: readonly DraftFile[]
  readonly pasted?: string
}

const placeOf = (jobId: string): string => `draft:${jobId}`
const lastPlace = 'draft'

/** An upload that was running when the page was closed counts as interrupted. */
export function readDraft(jobId: string): StoredDraft | undefined {
  try {
    const found = JSON.parse(storedChoice(placeOf(jobId)) ?? 'null') as StoredDraft | null
    if (!found) return undefined
    return {
      ...found,
      form: { ...emptyForm, ...found.form },
      files: found.files.map((file) =>
        file.state === 'stored' ? file : { ...file, state: 'interrupted' },
      ),
    }
  } catch {
    return undefined
  }
}

export function keepDraft(jobId: string, draft: StoredDraft): void {
  storeChoice(placeOf(jobId), JSON.stringify(draft))
  storeChoice(lastPlace, jobId)
}

export function forgetDraft(jobId: string): void {
  storeChoice(placeOf(jobId), undefined)
  if (storedChoice(lastPlace) === jobId) storeChoice(lastPlace, undefined)
}

/** The last draft that this browser started and has not submitted. */
export const lastDraft = (): string | undefined => storedChoice(lastPlace)

const languagesPlace = 'languages'
/** The languages of the last job, proposed for the next one. */
export const keepLanguages = ({ source, targets }: Form): void =>
  storeChoice(languagesPlace, JSON.stringify({ source, targets }))
export function storedLanguages(): Pick<Form, 'source' | 'targets'> {
  try {
    const { source = '', targets = [] } = JSON.parse(
      storedChoice(languagesPlace) ?? '{}',
    ) as Partial<Form>
    return { source, targets }
  } catch {
    return { source: '', targets: [] }
  }
}
