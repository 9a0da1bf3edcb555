/** What the person has filled in, and what is derived from it. Pure. */
import type { NewJob } from '@dragoman/contract/wire'
import { timeOf } from '../../zone.ts'

export type Form = {
  readonly jobName: string
  readonly source: string
  readonly targets: readonly string[]
  readonly providerId: string
  /** As the field shows it: local time, to the minute. */
  readonly due: string
  readonly poReference: string
  readonly description: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The code of each level. */
  readonly codes: Readonly<Record<string, string>>
  /** Pasted keys and values, as typed. */
  readonly pasted: string
}

export const emptyForm: Form = {
  jobName: '',
  source: '',
  targets: [],
  providerId: '',
  due: '',
  poReference: '',
  description: '',
  metadata: {},
  codes: {},
  pasted: '',
}

/** A file of the draft. `sas`, `path` and `url` are what an interrupted upload needs to resume. */
export type DraftFile = {
  readonly name: string
  readonly size: number
  readonly modified: number
  readonly state: 'waiting' | 'uploading' | 'interrupted' | 'stored'
  readonly sent: number
  readonly fmsFileId?: string
  readonly sas?: string
  readonly path?: string
  readonly url?: string
  readonly why?: string
}

export const isSameFile = (
  one: Pick<DraftFile, 'name' | 'size' | 'modified'>,
  file: File,
): boolean => one.name === file.name && one.size === file.size && one.modified === file.lastModified

/** The typed name, otherwise that of the first file, otherwise `fallback`. */
export function nameOf({ jobName }: Form, files: readonly DraftFile[], fallback: string): string {
  const [first] = files
  if (jobName.trim()) return jobName.trim()
  if (!first) return fallback
  const dot = first.name.lastIndexOf('.')
  return (dot > 0 ? first.name.slice(0, dot) : first.name).trim() || fallback
}

/** What a later change of the draft can undo; the rest is sent on submission. */
export function soFar(form: Form, jobName: string): NewJob {
  return {
    jobName,
    ...(form.source && { sourceNativeLanguageCode: form.source }),
    ...(form.targets.length > 0 && { targetNativeLanguageCodes: [...form.targets] }),
    analysisCodes: codesOf(form),
  }
}

export const codesOf = ({ codes }: Form) =>
  Object.entries(codes).flatMap(([level, code]) => (code ? [{ level: Number(level), code }] : []))

/** The rest. Empty texts are sent too, to overwrite what an earlier attempt wrote. */
export function details(form: Form) {
  return {
    description: form.description,
    poReference: form.poReference,
    ...(form.due && { dueDate: timeOf(form.due) }),
    ...(form.providerId && { providerId: form.providerId }),
  }
}
