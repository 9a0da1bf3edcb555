/**
 * Chains of providers: a job that people got from a chain knows it, machine drafts lie under what
 * people write, and what people changed in them is counted by engine and pair of languages.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const chainsOfProviders: Migration = {
  name: 'chains-of-providers',
  // A node without it would end the work of a chain without a translation.
  breaking: true,
  up: (db, { text, int, end }) =>
    inOrder(db, [
      sql`alter table jobs add column chain_id ${text}`,
      sql`alter table machine_work add column drafts ${text}`,
      sql`alter table drafts add column spent_ms ${int} not null default 0`,
      sql`create table engine_effort (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        provider_id ${text} not null,
        engine ${text} not null,
        source_language ${text} not null,
        target_language ${text} not null,
        segments ${int} not null,
        unedited ${int} not null,
        characters ${int} not null,
        distance ${int} not null,
        timed ${int} not null,
        spent_ms ${int} not null,
        delivered_at ${int} not null,
        primary key (job_id, request_id, provider_id, engine),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${end}`,
      sql`create index engine_effort_days on engine_effort (site_id, delivered_at)`,
    ]),
}
