/** Verdicts on machine translations as numbers, and what a site has taught by them. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const learnedRisk: Migration = {
  name: 'learned-risk',
  breaking: false,
  up: (db, { text, int, keyedEnd, end }) =>
    inOrder(db, [
      sql`create table risk_verdicts (
        site_id ${text} not null references sites (site_id),
        job_id ${text} not null,
        request_id ${text} not null,
        segment_id ${text} not null,
        source_language ${text} not null,
        target_language ${text} not null,
        model ${text} not null,
        features ${text} not null,
        is_bad ${int} not null check (is_bad in (0, 1)),
        given_at ${int} not null,
        primary key (site_id, job_id, request_id, segment_id)
      ) ${end}`,
      sql`create index risk_verdicts_by_pair
        on risk_verdicts (site_id, source_language, target_language, given_at)`,
      sql`create table learned_risk (
        site_id ${text} not null references sites (site_id),
        source_language ${text} not null,
        target_language ${text} not null,
        model ${text} not null,
        change ${text} not null,
        verdicts ${int} not null,
        agreement ${int},
        learned_at ${int} not null,
        primary key (site_id, source_language, target_language)
      ) ${keyedEnd}`,
    ]),
}
