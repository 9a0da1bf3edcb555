import type { Json, Time } from './columns.ts'

/** The quote of a job as it was submitted. */
type JobQuoteTable = {
  job_id: string
  site_id: string
  quote: Json
  quoted_at: Time
  cause_id: string
}

export type HandoverTables = {
  job_quotes: JobQuoteTable
}
