/**
 * The fingerprint of a text: SHA-256 of what a reader sees. The marks of rich text do not count,
 * so that another format or another link makes no translation out of date.
 */
import { createHash } from 'node:crypto'
import { marks } from './rich/marks.ts'

export const digest = (text: string): string =>
  createHash('sha256').update(text.replace(marks, '')).digest('hex')
