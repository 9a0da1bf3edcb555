/** Who or what translated each segment of a machine translation, and how far to trust it. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const machineWork: Migration = {
  name: 'machine-work',
  breaking: false,
  up: (db, { text, keyedEnd }) =>
    inOrder(db, [
      sql`create table machine_work (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        translation_id ${text} not null,
        segments ${text} not null,
        primary key (job_id, request_id),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
    ]),
}
