/** What the person has filled in, and what follows from it. Pure. */
import type { NewJob } from '@dragoman/contract/wire'

export type Form = {
  readonly jobName: string
  readonly source: string
  readonly targets: readonly string[]
  readonly providerId: string
  /** As the field has it: local time, to the minute. */
  readonly due: string
  readonly poReference: string
  readonly description: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Code by level. */
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

/** A file of the draft. `sas`, `path` and `url` are what an interrupted upload needs to go on. */
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

export const isSameFile = (one: Pick<DraftFile, 'name' | 'size' | 'modified'>, file: File): boolean =>
  one.name === file.name && one.size === file.size && one.modified === file.lastModified

/** The name typed, else that of the first file, else `fallback`. */
export function nameOf({ jobName }: Form, files: readonly DraftFile[], fallback: string): string {
  const [first] = files
  if (jobName.trim()) return jobName.trim()
  if (!first) return fallback
  const dot = first.name.lastIndexOf('.')
  return (dot > 0 ? first.name.slice(0, dot) : first.name).trim() || fallback
}

/** Whatever a change of the draft can take back: the rest is sent with the submission. */
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

/** The rest. Empty texts are sent too: they take back what an earlier attempt wrote. */
export function details(form: Form) {
  return {
    description: form.description,
    poReference: form.poReference,
    ...(form.due && { dueDate: timeOf(form.due) }),
    ...(form.providerId && { providerId: form.providerId }),
  }
}

export const timeOf = (local: string): string => new Date(local).toISOString()
