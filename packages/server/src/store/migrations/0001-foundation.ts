/**
 * Sites and their clients, providers, jobs with requests, labels and moves, tasks, and what the hub
 * notes for itself. The indexes of jobs are those that make a page cost the same at a thousand and
 * at a million jobs: each begins with what is compared for equality and ends with the order of the
 * list. Those that hold few rows are partial.
 */
import { archiveStatuses, jobStatuses, requestStatuses } from '@dragoman/contract'
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, listed, type Migration } from './migration.ts'

export const foundation: Migration = {
  name: 'foundation',
  breaking: true,
  up: async (db, types) => {
    await inOrder(db, access(types))
    await inOrder(db, work(types))
    await inOrder(db, upkeep(types))
  },
}

const access = ({ text, int, end }: ColumnTypes) => [
  sql`create table sites (site_id ${text} primary key, created_at ${int} not null) ${end}`,
  sql`create table clients (
    client_id ${text} primary key,
    site_id ${text} not null,
    scopes ${text} not null,
    page_format ${text} not null check (page_format in ('full', 'plain')),
    quotas ${text},
    created_at ${int} not null,
    disabled_at ${int}
  ) ${end}`,
  sql`create index clients_site on clients (site_id, client_id)`,
  sql`create table client_secrets (
    secret_id ${text} primary key,
    client_id ${text} not null references clients on delete cascade,
    hash ${text} not null,
    created_at ${int} not null,
    expires_at ${int}
  ) ${end}`,
  sql`create index client_secrets_client on client_secrets (client_id)`,
  sql`create table client_providers (
    client_id ${text} not null references clients on delete cascade,
    provider_id ${text} not null,
    primary key (client_id, provider_id)
  ) ${end}`,
  sql`create table guesses (
    client_id ${text} not null,
    address ${text} not null,
    failures ${int} not null,
    since ${int} not null,
    blocked_until ${int} not null,
    primary key (client_id, address)
  ) ${end}`,
  sql`create index guesses_since on guesses (since)`,
  sql`create table signing_keys (
    kid ${text} primary key,
    public_jwk ${text} not null,
    sealed_private ${text} not null,
    created_at ${int} not null,
    retires_at ${int} not null
  ) ${end}`,
]

const work = ({ text, int, end }: ColumnTypes) => [
  sql`create table providers (
    provider_id ${text} primary key,
    site_id ${text} not null,
    name ${text} not null,
    type_id ${text} not null,
    status ${text} not null check (status in ('ENABLED', 'DISABLED')),
    config ${text} not null,
    metadata_schema ${text},
    creator_id ${text} not null,
    created_at ${int} not null,
    modified_at ${int} not null
  ) ${end}`,
  sql`create index providers_created on providers (site_id, created_at, provider_id)`,
  sql`create table jobs (
    job_id ${text} primary key,
    site_id ${text} not null,
    job_name ${text} not null,
    description ${text},
    status ${text} not null check (status in (${listed(jobStatuses)})),
    archive_status ${text} not null check (archive_status in (${listed(archiveStatuses)})),
    archived ${int} not null check (archived in (0, 1)),
    has_error ${int} not null check (has_error in (0, 1)),
    error_message ${text},
    creator_id ${text} not null,
    submitter_id ${text},
    provider_id ${text},
    provider_reference ${text},
    po_reference ${text},
    due_at ${int},
    created_at ${int} not null,
    modified_at ${int} not null,
    submitted_at ${int},
    activity_at ${int} not null,
    archival_at ${int} not null,
    custom_data ${text},
    should_quote ${int} check (should_quote in (0, 1)),
    connector_name ${text},
    connector_version ${text},
    service_type ${text},
    extended_metadata ${text},
    labels ${text},
    global_tracking_id ${text},
    source_language ${text},
    target_languages ${text},
    analysis_codes ${text},
    version ${int} not null default 1,
    cause_id ${text} not null
  ) ${end}`,
  sql`create index jobs_created on jobs (site_id, archived, created_at, job_id)`,
  sql`create index jobs_status on jobs (site_id, archived, status, created_at, job_id)`,
  sql`create index jobs_name on jobs (site_id, archived, job_name, created_at, job_id)`,
  sql`create index jobs_provider on jobs (site_id, archived, provider_id, created_at, job_id) where provider_id is not null`,
  sql`create index jobs_po on jobs (site_id, archived, po_reference, created_at, job_id) where po_reference is not null`,
  sql`create index jobs_error on jobs (site_id, archived, created_at, job_id) where has_error = 1`,
  sql`create index jobs_tracking on jobs (site_id, archived, global_tracking_id, created_at, job_id) where global_tracking_id is not null`,
  sql`create index jobs_due on jobs (site_id, archived, due_at, job_id)`,
  sql`create index jobs_archival on jobs (archive_status, archival_at)`,
  sql`create table job_labels (
    job_id ${text} not null references jobs on delete cascade,
    site_id ${text} not null,
    name ${text} not null,
    value ${text}
  ) ${end}`,
  sql`create index job_labels_job on job_labels (job_id, name)`,
  sql`create index job_labels_value on job_labels (site_id, name, value, job_id)`,
  sql`create table requests (
    request_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    position ${int} not null,
    request_name ${text} not null,
    status ${text} not null check (status in (${listed(requestStatuses)})),
    has_error ${int} not null check (has_error in (0, 1)),
    error_message ${text},
    source_native_id ${text} not null,
    source_language ${text} not null,
    target_native_id ${text},
    target_language ${text} not null,
    created_at ${int} not null,
    modified_at ${int} not null,
    word_count ${int},
    file_id ${text},
    content_id ${text},
    provider_reference ${text},
    reject_note ${text},
    extended_metadata ${text},
    cause_id ${text} not null
  ) ${end}`,
  sql`create unique index requests_position on requests (job_id, position)`,
  sql`create index requests_status on requests (job_id, status)`,
  sql`create table moves (
    move_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    request_id ${text},
    move ${text} not null,
    from_status ${text} not null,
    to_status ${text} not null,
    moved_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
  sql`create index moves_job on moves (job_id, moved_at)`,
]

const upkeep = ({ text, int, id, end, busyEnd, unlogged }: ColumnTypes) => [
  sql`create table tasks (
    task_id ${id},
    name ${text} not null,
    payload ${text} not null,
    site_id ${text},
    key ${text} unique,
    due_at ${int} not null,
    attempts ${int} not null default 0,
    parked ${int} not null default 0 check (parked in (0, 1)),
    leased_by ${text},
    lease_until ${int},
    fence ${int} not null default 0,
    cause_id ${text} not null,
    created_at ${int} not null,
    last_error ${text}
  ) ${busyEnd}`,
  sql`create index tasks_due on tasks (due_at, task_id) where parked = 0`,
  sql`create table idempotency (
    client_id ${text} not null,
    path ${text} not null,
    key ${text} not null,
    body_hash ${text} not null,
    answer ${text},
    running_until ${int} not null,
    created_at ${int} not null,
    primary key (client_id, path, key)
  ) ${end}`,
  sql`create index idempotency_created on idempotency (created_at)`,
  sql`create table calls (
    call_id ${id},
    trace_id ${text} not null,
    called_at ${int} not null,
    method ${text} not null,
    route ${text} not null,
    ids ${text},
    site_id ${text},
    client_id ${text},
    address ${text} not null,
    status ${int} not null,
    error_code ${text},
    duration_us ${int} not null,
    bytes_in ${int} not null,
    bytes_out ${int} not null,
    call_body ${text},
    answer_body ${text}
  ) ${end}`,
  sql`create index calls_called on calls (called_at)`,
  sql`create table nodes (
    node_id ${text} primary key,
    version ${text} not null,
    started_at ${int} not null,
    seen_at ${int} not null
  ) ${end}`,
  sql`create table hub_state (name ${text} primary key, value ${text} not null) ${end}`,
  sql`create ${unlogged} table buckets (address ${text} primary key, arrives_at ${int} not null) ${end}`,
]
