/**
 * The draft in this browser: the form, and what interrupted uploads need to resume. The job itself
 * is at the hub.
 */
import { keep, kept } from '../../kept.ts'
import { type DraftFile, emptyForm, type Form } from './form.ts'

type KeptDraft = {
  readonly form: Form
  readonly files: readonly DraftFile[]
  readonly pasted?: string
}

const placeOf = (jobId: string): string => `draft:${jobId}`
const lastPlace = 'draft'

/** An upload that was running when the page was closed counts as interrupted. */
export function readDraft(jobId: string): KeptDraft | undefined {
  try {
    const found = JSON.parse(kept(placeOf(jobId)) ?? 'null') as KeptDraft | null
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

export function keepDraft(jobId: string, draft: KeptDraft): void {
  keep(placeOf(jobId), JSON.stringify(draft))
  keep(lastPlace, jobId)
}

export function forgetDraft(jobId: string): void {
  keep(placeOf(jobId), undefined)
  if (kept(lastPlace) === jobId) keep(lastPlace, undefined)
}

/** The last draft that this browser started and has not submitted. */
export const lastDraft = (): string | undefined => kept(lastPlace)

const languagesPlace = 'languages'
/** The languages of the last job, proposed for the next one. */
export const keepLanguages = ({ source, targets }: Form): void =>
  keep(languagesPlace, JSON.stringify({ source, targets }))
export function keptLanguages(): Pick<Form, 'source' | 'targets'> {
  try {
    const { source = '', targets = [] } = JSON.parse(kept(languagesPlace) ?? '{}') as Partial<Form>
    return { source, targets }
  } catch {
    return { source: '', targets: [] }
  }
}
