-- Every statement the hub sends, made by `npm run generate` from the built program; do not edit.
-- SQLite and PostgreSQL get the same text (but for the form of parameters) unless both are shown.
-- A statement that is not tied to one site says why before it.

-- domain/access/audit/audit-rows.ts: deleteUpTo
-- No site: the log is pruned for all sites.
delete
  from "audit"
  where "audit_id" <= ?;

-- domain/access/audit/audit-rows.ts: insertActs (SQLite)
insert into audit (audit_id, acted_at, actor, client_id, site_id, verb, thing, thing_id, fields, was, is_now, trace_id, hash, person_id, erased)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- domain/access/audit/audit-rows.ts: insertActs (PostgreSQL)
insert into audit (audit_id, acted_at, actor, client_id, site_id, verb, thing, thing_id, fields, was, is_now, trace_id, hash, person_id, erased) select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]), cast(cast($6 as text) as text[]), cast(cast($7 as text) as text[]), cast(cast($8 as text) as text[]), cast(cast($9 as text) as text[]), cast(cast($10 as text) as text[]), cast(cast($11 as text) as text[]), cast(cast($12 as text) as text[]), cast(cast($13 as text) as text[]), cast(cast($14 as text) as text[]), cast(cast($15 as text) as text[]));

-- domain/access/audit/audit-rows.ts: lastToPrune
-- No site: the log is pruned for all sites.
select "audit_id", "hash", "acted_at"
  from "audit"
  order by "audit_id"
  limit ?;

-- domain/access/client-rows.ts: addSite
insert into "sites" ("site_id", "created_at", "removing_at")
  values (?, ?, ?)
  on conflict do nothing
  returning "site_id";

-- domain/access/client-rows.ts: clientById
-- No site: client ids are unique across sites, and a token call names nothing else.
select *
  from "clients"
  where "client_id" = ?;

-- domain/access/client-rows.ts: clientsOfProvider
select "clients"."client_id", "clients"."last_used_at"
  from "clients"
  inner join "client_providers" on "client_providers"."client_id" = "clients"."client_id"
  where "clients"."site_id" = ? and "client_providers"."provider_id" = ? and "clients"."disabled_at" is null
  order by "clients"."client_id"
  limit ?;

-- domain/access/client-rows.ts: deleteClient
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_secrets"
  where "client_id" = ?;
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_providers"
  where "client_id" = ?;
delete
  from "clients"
  where "site_id" = ? and "client_id" = ?;

-- domain/access/client-rows.ts: deleteEndedSecrets
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_secrets"
  where "expires_at" <= ?;

-- domain/access/client-rows.ts: deleteProviders
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_providers"
  where "client_id" = ?;

-- domain/access/client-rows.ts: endSecrets
-- No site: a client id is unique over all sites while it has a row.
update "client_secrets"
  set "expires_at" = ?
  where "client_id" = ? and ("expires_at" is null or "expires_at" > ?);

-- domain/access/client-rows.ts: holdSite (SQLite)
select *
  from "sites"
  where "site_id" = ?;
-- domain/access/client-rows.ts: holdSite (PostgreSQL)
select *
  from "sites"
  where "site_id" = $1 for share;

-- domain/access/client-rows.ts: insertClient
insert into "clients" ("client_id", "site_id", "scopes", "page_format", "quotas", "created_at", "disabled_at", "rate_limit", "allow_from", "certificates", "last_used_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing
  returning "client_id";

-- domain/access/client-rows.ts: insertProviders
-- No site: a client id is unique over all sites while it has a row.
insert into "client_providers" ("client_id", "provider_id")
  values (?, ?)
  on conflict do nothing;

-- domain/access/client-rows.ts: insertSecret
-- No site: a client id is unique over all sites while it has a row.
insert into "client_secrets" ("secret_id", "client_id", "hash", "created_at", "expires_at")
  values (?, ?, ?, ?, ?);

-- domain/access/client-rows.ts: listClients
select *
  from "clients"
  where "site_id" = ?
  order by "site_id", "client_id";
-- No site: only the operator at the command line lists all.
select *
  from "clients"
  order by "site_id", "client_id";

-- domain/access/client-rows.ts: lockClient (SQLite)
-- No site: as above.
select *
  from "clients"
  where "client_id" = ?;
-- domain/access/client-rows.ts: lockClient (PostgreSQL)
-- No site: as above.
select *
  from "clients"
  where "client_id" = $1 for update;

-- domain/access/client-rows.ts: lockEnabled (SQLite)
select *
  from "clients"
  where "site_id" = ? and "disabled_at" is null and "scopes" like ?
  order by "client_id";
-- domain/access/client-rows.ts: lockEnabled (PostgreSQL)
select *
  from "clients"
  where "site_id" = $1 and "disabled_at" is null and "scopes" like $2
  order by "client_id" for update;

-- domain/access/client-rows.ts: lockSite (SQLite)
select *
  from "sites"
  where "site_id" = ?;
-- domain/access/client-rows.ts: lockSite (PostgreSQL)
select *
  from "sites"
  where "site_id" = $1 for no key update;

-- domain/access/client-rows.ts: noteUse
update "clients"
  set "last_used_at" = ?
  where "site_id" = ? and "client_id" = ? and ("last_used_at" is null or "last_used_at" < ?);

-- domain/access/client-rows.ts: oldestSite
-- No site: it looks for one.
select *
  from "sites"
  where "removing_at" is null
  order by "created_at", "site_id"
  limit ?;

-- domain/access/client-rows.ts: pageOfClients
select *
  from "clients"
  where "site_id" = ?
  order by "created_at" desc, "client_id" desc
  limit ?;
-- No site: an operator sees all of them.
select *
  from "clients"
  where ("created_at" <= ? and ("created_at" < ? or ("created_at" = ? and "client_id" < ?)))
  order by "created_at" desc, "client_id" desc
  limit ?;

-- domain/access/client-rows.ts: providersOf
-- No site: a client id is unique over all sites while it has a row.
select "provider_id"
  from "client_providers"
  where "client_id" = ?
  order by "provider_id";

-- domain/access/client-rows.ts: providersOfMany
-- No site: a client id is unique over all sites while it has a row.
select *
  from "client_providers"
  where "client_id" in (?)
  order by "provider_id";

-- domain/access/client-rows.ts: secretsOf
-- No site: a client id is unique over all sites while it has a row.
select "secret_id", "hash", "created_at", "expires_at"
  from "client_secrets"
  where "client_id" = ?
  order by "created_at" desc;

-- domain/access/client-rows.ts: secretsOfMany
-- No site: a client id is unique over all sites while it has a row.
select "client_id", "secret_id", "hash", "created_at", "expires_at"
  from "client_secrets"
  where "client_id" in (?)
  order by "created_at" desc;

-- domain/access/client-rows.ts: siteById
select *
  from "sites"
  where "site_id" = ?;

-- domain/access/client-rows.ts: updateClient
update "clients"
  set "client_id" = ?, "site_id" = ?, "scopes" = ?, "page_format" = ?, "quotas" = ?, "created_at" = ?, "disabled_at" = ?, "rate_limit" = ?, "allow_from" = ?, "certificates" = ?, "last_used_at" = ?
  where "site_id" = ? and "client_id" = ?;

-- domain/access/key-rows.ts: deleteAllKeys
-- No site: the hub's own table.
delete
  from "signing_keys"
  returning "kid";

-- domain/access/key-rows.ts: deleteKeys
-- No site: the hub's own table.
delete
  from "signing_keys"
  where "retires_at" < ?
  returning "kid";

-- domain/access/key-rows.ts: insertIssuer
-- No site: the hub's own table.
insert into "hub_state" ("name", "value")
  values (?, ?)
  on conflict do nothing;

-- domain/access/key-rows.ts: insertKey
-- No site: the hub's own table.
insert into "signing_keys" ("kid", "public_jwk", "sealed_private", "created_at", "retires_at")
  values (?, ?, ?, ?, ?);

-- domain/access/key-rows.ts: listIssuers
-- No site: the hub's own table.
select "name"
  from "hub_state"
  where "name" like ?;

-- domain/access/key-rows.ts: listKeys
-- No site: the hub's own table.
select *
  from "signing_keys"
  order by "created_at" desc, "kid";

-- domain/access/key-rows.ts: retireKeys
-- No site: the hub's own table.
update "signing_keys"
  set "retires_at" = ?
  where "retires_at" > ?;

-- domain/access/login-throttle-rows.ts: deleteOldTries
-- No site: a token call names no site.
delete
  from "guesses"
  where "since" <= ?;

-- domain/access/login-throttle-rows.ts: deleteTries
-- No site: a token call names no site.
delete
  from "guesses"
  where "client_id" = ? and "address" = ?;

-- domain/access/login-throttle-rows.ts: deleteTriesOf
-- No site: a token call names no site.
delete
  from "guesses"
  where "client_id" = ?;

-- domain/access/login-throttle-rows.ts: keepTries
-- No site: a token call names no site.
insert into "guesses" ("client_id", "address", "failures", "since", "blocked_until")
  values (?, ?, ?, ?, ?)
  on conflict ("client_id", "address") do update
  set "failures" = ?, "since" = ?, "blocked_until" = ?;

-- domain/access/login-throttle-rows.ts: lockTries (SQLite)
-- No site: a token call names no site.
select "failures", "since", "blocked_until"
  from "guesses"
  where "client_id" = ? and "address" = ?;
-- domain/access/login-throttle-rows.ts: lockTries (PostgreSQL)
-- No site: a token call names no site.
select "failures", "since", "blocked_until"
  from "guesses"
  where "client_id" = $1 and "address" = $2 for update;

-- domain/access/login-throttle-rows.ts: triesOf
-- No site: a token call names no site.
select "failures", "since", "blocked_until"
  from "guesses"
  where "client_id" = ? and "address" = ?;

-- domain/access/once-rows.ts: claimKey
insert into "idempotency" ("site_id", "client_id", "path", "key", "body_hash", "answer", "running_until", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("site_id", "client_id", "path", "key") do update
  set "body_hash" = ?, "answer" = ?, "running_until" = ?, "created_at" = ?
  where ("idempotency"."created_at" <= ? or ("idempotency"."answer" is null and "idempotency"."running_until" <= ?))
  returning "key";
select "body_hash", "answer"
  from "idempotency"
  where ("site_id" = ? and "client_id" = ? and "path" = ? and "key" = ?);

-- domain/access/once-rows.ts: forgetKeys
-- No site: upkeep over all sites.
delete
  from "idempotency"
  where "created_at" <= ?;

-- domain/access/once-rows.ts: freeKey
delete
  from "idempotency"
  where ("site_id" = ? and "client_id" = ? and "path" = ? and "key" = ? and "created_at" = ?) and "answer" is null;

-- domain/access/once-rows.ts: keepAnswer
update "idempotency"
  set "answer" = ?
  where ("site_id" = ? and "client_id" = ? and "path" = ? and "key" = ? and "created_at" = ?) and "answer" is null;

-- domain/access/once-rows.ts: removeKeys
delete
  from "idempotency"
  where "site_id" = ? and "client_id" = ?;

-- domain/access/once-rows.ts: renewKey
update "idempotency"
  set "running_until" = ?
  where ("site_id" = ? and "client_id" = ? and "path" = ? and "key" = ? and "created_at" = ?) and "answer" is null;

-- domain/access/revocation-rows.ts: deleteExpired
-- No site: the hub's own table: the ids of tokens and keys are random.
delete
  from "revoked"
  where "expires_at" < ?;

-- domain/access/revocation-rows.ts: insertRevoked
-- No site: the hub's own table: the ids of tokens and keys are random.
insert into "revoked" ("name", "revoked_at", "expires_at")
  values (?, ?, ?)
  on conflict do nothing
  returning "name";

-- domain/access/revocation-rows.ts: selectRevokedSince
-- No site: the hub's own table: the ids of tokens and keys are random.
select *
  from "revoked"
  where "revoked_at" >= ?;

-- domain/access/site-bytes-rows.ts: addToShard
insert into "site_bytes" ("site_id", "shard", "bytes")
  values (?, ?, ?)
  on conflict ("site_id", "shard") do update
  set "bytes" = "site_bytes"."bytes" + "excluded"."bytes";

-- domain/access/site-bytes-rows.ts: sumShards
select sum("bytes") as "bytes"
  from "site_bytes"
  where "site_id" = ?;

-- domain/desk/effort-rows.ts: replaceEffort
delete
  from "engine_effort"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;
insert into "engine_effort" ("site_id", "job_id", "request_id", "provider_id", "engine", "source_language", "target_language", "segments", "unedited", "characters", "distance", "timed", "spent_ms", "delivered_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/desk/effort-rows.ts: selectLastWritten
select max("changed_at") as "last"
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" = ? and "changed_by" = ? and "target" is not null;

-- domain/desk/look-ups/origin-rows.ts: selectImportOrigins
select "import_id"
  from "memory_imports"
  where "site_id" = ? and "import_id" in (?);

-- domain/desk/look-ups/origin-rows.ts: selectRequestOrigins
select "requests"."request_id" as "id", "jobs"."job_id", "jobs"."job_name", "jobs"."provider_id", "requests"."request_name", "requests"."assignee"
  from "requests"
  inner join "jobs" on "jobs"."job_id" = "requests"."job_id" and "jobs"."site_id" = "requests"."site_id"
  where "requests"."site_id" = ? and "requests"."request_id" in (?);

-- domain/desk/look-ups/origin-rows.ts: selectUpdateOrigins
select "tm_updates"."tmupdate_id" as "id", "jobs"."job_id", "jobs"."job_name", "jobs"."provider_id"
  from "tm_updates"
  inner join "jobs" on "jobs"."job_id" = "tm_updates"."job_id" and "jobs"."site_id" = "tm_updates"."site_id"
  where "tm_updates"."site_id" = ? and "tm_updates"."tmupdate_id" in (?);

-- domain/desk/segment-rows.ts: lockRequest (SQLite)
select "request_id", "status", "assignee"
  from "requests"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;
-- domain/desk/segment-rows.ts: lockRequest (PostgreSQL)
select "request_id", "status", "assignee"
  from "requests"
  where "site_id" = $1 and "job_id" = $2 and "request_id" = $3 for update;

-- domain/desk/segment-rows.ts: selectByDigest
select "segment_id"
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" = ? and "target_digest" in (?)
  limit ?;

-- domain/desk/segment-rows.ts: selectDraftMark
select sum("version") as "mark"
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;

-- domain/desk/segment-rows.ts: selectDrafts
select *
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" = ? and "segment_id" = ?;
select *
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" = ? and "segment_id" in (?, ?);

-- domain/desk/segment-rows.ts: selectWorker
select "people"."name", "person_roles"."role", "person_roles"."providers", "person_roles"."languages"
  from "person_roles"
  inner join "people" on "people"."person_id" = "person_roles"."person_id"
  where "person_roles"."site_id" = ? and "person_roles"."person_id" = ? and "people"."disabled_at" is null;

-- domain/desk/segment-rows.ts: writeDrafts (SQLite)
-- No site: the rows name it, and the caller found their request there.
with given(site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms) as (values (?, ?, ?, ?, ?, ?, cast(? as bigint), cast(? as bigint), ?, cast(? as bigint), cast(? as bigint), ?, ?, ?, ?, ?, ?, ?, ?, cast(? as bigint))) insert into drafts (site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms) select site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms
  from given
  where true
  on conflict (job_id, request_id, segment_id) do update
  set target = excluded.target, state = excluded.state, version = excluded.version, bytes = excluded.bytes, changed_by = excluded.changed_by, by_person = excluded.by_person, changed_at = excluded.changed_at, kept = excluded.kept, target_digest = excluded.target_digest, spent_ms = excluded.spent_ms
  where drafts.version < excluded.version
  returning segment_id;
-- domain/desk/segment-rows.ts: writeDrafts (PostgreSQL)
-- No site: the rows name it, and the caller found their request there.
with given(site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]), cast(cast($6 as text) as text[]), cast(cast($7 as text) as bigint[]), cast(cast($8 as text) as bigint[]), cast(cast($9 as text) as text[]), cast(cast($10 as text) as bigint[]), cast(cast($11 as text) as bigint[]), cast(cast($12 as text) as text[]), cast(cast($13 as text) as text[]), cast(cast($14 as text) as text[]), cast(cast($15 as text) as text[]), cast(cast($16 as text) as text[]), cast(cast($17 as text) as text[]), cast(cast($18 as text) as text[]), cast(cast($19 as text) as text[]), cast(cast($20 as text) as bigint[]))) insert into drafts (site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms) select site_id, job_id, request_id, segment_id, target, state, version, bytes, changed_by, by_person, changed_at, delivered, previous, replaced, review, previous_review, kept, delivered_kept, target_digest, spent_ms
  from given
  where true
  on conflict (job_id, request_id, segment_id) do update
  set target = excluded.target, state = excluded.state, version = excluded.version, bytes = excluded.bytes, changed_by = excluded.changed_by, by_person = excluded.by_person, changed_at = excluded.changed_at, kept = excluded.kept, target_digest = excluded.target_digest, spent_ms = excluded.spent_ms
  where drafts.version < excluded.version
  returning segment_id;

-- domain/desk/segment-rows.ts: writeReview
-- No site: as above.
insert into "drafts" ("site_id", "job_id", "request_id", "segment_id", "target", "state", "version", "bytes", "changed_by", "by_person", "changed_at", "delivered", "previous", "review", "kept", "spent_ms", "previous_review", "replaced", "delivered_kept", "target_digest")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("job_id", "request_id", "segment_id") do update
  set "review" = "excluded"."review";

-- domain/desk/work-rows.ts: countReady
select "request_id", count(*) as "ready"
  from "drafts"
  where "site_id" = ? and "job_id" in (?) and "request_id" in (?) and "state" = ? and "target" is not null
  group by "request_id";

-- domain/desk/work-rows.ts: countWork
select count(*) as "many"
  from (select 1 as "one"
  from "jobs"
  inner join "requests" on "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id" and "providers"."site_id" = "jobs"."site_id"
  where "jobs"."site_id" = ? and jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "requests"."status" in (?) and "requests"."assignee" = ? and jobs.provider_id in (?) and lower(replace(requests.target_language, '_', '-')) in (?) and "jobs"."job_id" = ? and "providers"."type_id" not in (?)
  limit ?) as "some";

-- domain/desk/work-rows.ts: selectClaimed
select "requests"."request_id", "requests"."job_id", "requests"."assignee"
  from "jobs"
  inner join "requests" on "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id" and "providers"."site_id" = "jobs"."site_id"
  where "jobs"."site_id" = ? and jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "requests"."status" in (?) and "requests"."assignee" = ? and jobs.provider_id in (?) and lower(replace(requests.target_language, '_', '-')) in (?) and "jobs"."job_id" = ? and "providers"."type_id" not in (?) and "requests"."assignee" in (?)
  limit ?;

-- domain/desk/work-rows.ts: selectPeople
select "people"."person_id", "people"."name", "person_roles"."role", "person_roles"."providers", "person_roles"."languages"
  from "person_roles"
  inner join "people" on "people"."person_id" = "person_roles"."person_id"
  where "person_roles"."site_id" = ? and "people"."disabled_at" is null
  order by "people"."name", "people"."person_id";

-- domain/desk/work-rows.ts: selectWork
select "people"."name" as "assignee_name", "requests"."request_id", "requests"."job_id", "requests"."position", "requests"."request_name", "requests"."source_language", "requests"."target_language", "requests"."status", "requests"."has_error", "requests"."assignee", "requests"."reject_note", "jobs"."job_name", "jobs"."due_at", "providers"."provider_id", "providers"."name" as "provider_name", coalesce(jobs.due_at, 9007199254740991) as "due"
  from "jobs"
  inner join "requests" on "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id" and "providers"."site_id" = "jobs"."site_id"
  left join "people" on "people"."person_id" = "requests"."assignee"
  where "jobs"."site_id" = ? and jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "requests"."status" in (?) and "requests"."assignee" = ? and jobs.provider_id in (?) and lower(replace(requests.target_language, '_', '-')) in (?) and "jobs"."job_id" = ? and "providers"."type_id" not in (?) and coalesce(jobs.due_at, 9007199254740991) >= ? and (coalesce(jobs.due_at, 9007199254740991) > ? or (jobs.job_id > ? or (jobs.job_id = ? and requests.position > ?)))
  order by coalesce(jobs.due_at, 9007199254740991), "jobs"."job_id", "requests"."position"
  limit ?;

-- domain/engines/drivers/chain-rows.ts: selectChains
select "provider_id"
  from "providers"
  where "site_id" = ? and "type_id" = ?;

-- domain/engines/drivers/chain-rows.ts: selectNamed
select *
  from "providers"
  where "site_id" = ? and "provider_id" in (?);

-- domain/engines/drivers/engine-usage-rows.ts: addUsage
insert into "engine_usage" ("held_at", "held_by", "held_because", "provider_id", "job_id", "day", "unit", "site_id", "estimated", "characters", "saved", "requests", "billed")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("provider_id", "job_id", "day", "unit") do update
  set "estimated" = engine_usage.estimated + excluded.estimated, "characters" = engine_usage.characters + excluded.characters, "saved" = engine_usage.saved + excluded.saved, "requests" = engine_usage.requests + excluded.requests, "billed" = coalesce(engine_usage.billed + excluded.billed, excluded.billed, engine_usage.billed)
  where "engine_usage"."site_id" = ?
  returning "characters", "held_by";

-- domain/engines/drivers/engine-usage-rows.ts: holdUsage
insert into "engine_usage" ("held_at", "held_by", "held_because", "provider_id", "job_id", "day", "unit", "site_id", "estimated", "characters", "saved", "requests", "billed")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("provider_id", "job_id", "day", "unit") do update
  set "estimated" = engine_usage.estimated + excluded.estimated, "characters" = engine_usage.characters + excluded.characters, "saved" = engine_usage.saved + excluded.saved, "requests" = engine_usage.requests + excluded.requests, "billed" = coalesce(engine_usage.billed + excluded.billed, excluded.billed, engine_usage.billed)
  where "engine_usage"."site_id" = ?
  returning "characters", "held_by";
update "engine_usage"
  set "held_at" = coalesce(held_at, ?), "held_by" = ?, "held_because" = ?
  where "site_id" = ? and "provider_id" = ? and "job_id" = ? and "day" = ? and "unit" = ?;

-- domain/engines/drivers/engine-usage-rows.ts: releaseHolds
update "engine_usage"
  set "held_at" = ?, "held_by" = ?, "held_because" = ?
  where "site_id" = ? and "provider_id" = ? and "held_at" is not null and "held_by" = ?;

-- domain/engines/drivers/engine-usage-rows.ts: selectHeld
select "site_id", "provider_id", "job_id", "held_at", "held_because"
  from "engine_usage"
  where "held_at" is not null and "day" >= ? and "site_id" = ?
  order by "held_at"
  limit ?;

-- domain/engines/drivers/engine-usage-rows.ts: selectLimits
select "limits"
  from "providers"
  where "site_id" = ? and "provider_id" = ?;

-- domain/engines/drivers/engine-usage-rows.ts: sumCharacters
select sum("characters") as "sum"
  from "engine_usage"
  where "site_id" = ? and "provider_id" = ? and "job_id" = ? and "day" >= ?;

-- domain/engines/drivers/engine-usage-rows.ts: sumUsage
select sum("estimated") as "estimated", sum("billed") as "billed", sum("saved") as "saved", sum("requests") as "requests"
  from "engine_usage"
  where "site_id" = ? and "provider_id" = ? and "job_id" = ? and "unit" = ? and "day" >= ? and "day" < ?;

-- domain/engines/machine-rows.ts: selectDrafts
select "drafts"
  from "machine_work"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;

-- domain/engines/machine-rows.ts: selectMachineWork
select "translation_id", "segments"
  from "machine_work"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;

-- domain/engines/machine-rows.ts: selectUndrafted
select "requests"."request_id"
  from "requests"
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."status" in (?, ?, ?) and not exists (select "machine_work"."request_id"
  from "machine_work"
  where "machine_work"."site_id" = ? and "machine_work"."job_id" = "requests"."job_id" and "machine_work"."request_id" = "requests"."request_id" and "machine_work"."drafts" is not null)
  limit ?;

-- domain/engines/machine-rows.ts: writeMachineWork
-- No site: the row names it, and the caller found its request there.
insert into "machine_work" ("site_id", "job_id", "request_id", "translation_id", "segments", "drafts")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("job_id", "request_id") do update
  set "translation_id" = "excluded"."translation_id", "segments" = "excluded"."segments", "drafts" = "excluded"."drafts";

-- domain/engines/provider-rows.ts: countProviders
select count(*) as "providers"
  from "providers"
  where "site_id" = ?;

-- domain/engines/provider-rows.ts: countUses
select (select count(*) as "found"
  from "jobs"
  where "site_id" = ? and ("provider_id" = ? or "chain_id" = ?)) as "jobs", (select count(*) as "found"
  from "sites"
  where "site_id" = ? and "routing" like ?) as "rules", (select count(*) as "found"
  from "client_providers"
  inner join "clients" on "clients"."client_id" = "client_providers"."client_id"
  where "clients"."site_id" = ? and "client_providers"."provider_id" = ?) as "clients", (select count(*) as "found"
  from "person_roles"
  where "site_id" = ? and "providers" like ?) as "people", (select count(*) as "found"
  from "listeners"
  where "site_id" = ? and "provider_id" = ? and "deleted_at" is null) as "listeners", (select count(*) as "found"
  from "providers"
  where "site_id" = ? and "config" like ?) as "providers";

-- domain/engines/provider-rows.ts: deleteProviderRow
delete
  from "providers"
  where "site_id" = ? and "provider_id" = ?;

-- domain/engines/provider-rows.ts: insertProvider
insert into "providers" ("provider_id", "site_id", "name", "type_id", "status", "config", "metadata_schema", "creator_id", "created_at", "modified_at", "limits")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  returning *;

-- domain/engines/provider-rows.ts: selectConfigs
select "config"
  from "providers"
  where "site_id" = ? and "type_id" = ?;

-- domain/engines/provider-rows.ts: selectEnabled
select *
  from "providers"
  where "site_id" = ? and "status" = ?
  order by "created_at"
  limit ?;

-- domain/engines/provider-rows.ts: selectProvider
select *
  from "providers"
  where "site_id" = ? and "provider_id" = ?;

-- domain/engines/provider-rows.ts: selectProviders
select *
  from "providers"
  where "site_id" = ?
  order by "created_at" asc, "provider_id" asc
  limit ?;
select *
  from "providers"
  where "site_id" = ? and "provider_id" in (?) and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "provider_id" > ?)))
  order by "created_at" asc, "provider_id" asc
  limit ?;

-- domain/engines/provider-rows.ts: updateProvider
update "providers"
  set "provider_id" = ?, "site_id" = ?, "name" = ?, "type_id" = ?, "status" = ?, "config" = ?, "metadata_schema" = ?, "creator_id" = ?, "created_at" = ?, "modified_at" = ?, "limits" = ?
  where "site_id" = ? and "provider_id" = ?
  returning *;

-- domain/files/file-rows.ts: closeTransfer
update "files"
  set "expires_at" = ?
  where "site_id" = ? and "file_id" = ?;

-- domain/files/file-rows.ts: countSources
select count(*) as "files"
  from "files"
  where ("site_id" = ? and "job_id" = ? and "kind" = ?);

-- domain/files/file-rows.ts: firstExpiry
-- No site: upkeep over all sites.
select "expires_at"
  from "files"
  where "expires_at" is not null
  order by "expires_at"
  limit ?;

-- domain/files/file-rows.ts: insertFile
insert into "files" ("file_id", "site_id", "job_id", "name", "content_type", "state", "kind", "client_id", "holds_bytes", "blob_id", "size", "sha256", "created_at", "expires_at", "cause_id", "sealed")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/files/file-rows.ts: isReferenced
select "file_id"
  from "requests"
  where "site_id" = ? and "file_id" = ?
  limit ?;
select "file_id"
  from "support_assets"
  where "site_id" = ? and "file_id" = ?
  limit ?;
select "file_id"
  from "tm_updates"
  where "site_id" = ? and "file_id" = ?
  limit ?;

-- domain/files/file-rows.ts: lockJobOf (SQLite)
select "archive_status"
  from "jobs"
  where "site_id" = ? and "job_id" = ?;
-- domain/files/file-rows.ts: lockJobOf (PostgreSQL)
select "archive_status"
  from "jobs"
  where "site_id" = $1 and "job_id" = $2 for update;

-- domain/files/file-rows.ts: removeExpected
delete
  from "files"
  where "site_id" = ? and "file_id" = ? and "state" = ?;

-- domain/files/file-rows.ts: removeTranslations
delete
  from "uploads"
  where "site_id" = ? and "file_id" in (select "file_id"
  from "files"
  where "site_id" = ? and "job_id" = ? and "kind" = ? and "file_id" in (?))
  returning "blob_id";
delete
  from "files"
  where "site_id" = ? and "job_id" = ? and "kind" = ? and "file_id" in (?)
  returning "blob_id", "size";

-- domain/files/file-rows.ts: selectBlobs
select "files"."blob_id", "uploads"."blob_id" as "upload_blob_id"
  from "files"
  left join "uploads" on "uploads"."file_id" = "files"."file_id" and "uploads"."site_id" = "files"."site_id"
  where "files"."site_id" = ? and "files"."job_id" = ?;

-- domain/files/file-rows.ts: selectExpired
-- No site: upkeep over all sites.
select *
  from "files"
  where "expires_at" is not null and "expires_at" <= ?
  order by "expires_at"
  limit ?;

-- domain/files/file-rows.ts: selectFile
select *
  from "files"
  where "site_id" = ? and "job_id" = ? and "file_id" = ?;

-- domain/files/file-rows.ts: selectFiles
select *
  from "files"
  where "site_id" = ? and "job_id" = ? and "file_id" in (?);

-- domain/files/file-rows.ts: selectImportBlobs
-- No site: those of all sites, for copies of the whole hub.
select "blob_id"
  from "memory_imports"
  where "blob_id" is not null;

-- domain/files/file-rows.ts: selectKnownBlobs
-- No site: upkeep over all sites.
select "blob_id"
  from "files"
  where "blob_id" in (?);
-- No site: upkeep over all sites.
select "uploads"."blob_id"
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "uploads"."blob_id" in (?) and "files"."state" = ?;
-- No site: upkeep over all sites.
select "blob_id"
  from "memory_imports"
  where "blob_id" in (?);

-- domain/files/file-rows.ts: selectSignedFile
-- No site: by the random file id that the URL's signature covers.
select "files".*, "jobs"."archive_status"
  from "files"
  inner join "jobs" on "jobs"."job_id" = "files"."job_id" and "jobs"."site_id" = "files"."site_id"
  where "files"."file_id" = ?;

-- domain/files/file-rows.ts: selectStored
select *
  from "files"
  where "state" = ? and "file_id" > ? and "site_id" = ?
  order by "file_id"
  limit ?;
-- No site: those of all sites, for copies and checks of the whole hub.
select *
  from "files"
  where "state" = ? and "file_id" > ?
  order by "file_id"
  limit ?;

-- domain/files/file-rows.ts: sumFileBytes
select sum("size") as "bytes"
  from "files"
  where "site_id" = ? and "job_id" = ?;

-- domain/files/file-rows.ts: updateExpected
update "files"
  set "file_id" = ?, "site_id" = ?, "job_id" = ?, "name" = ?, "content_type" = ?, "state" = ?, "kind" = ?, "client_id" = ?, "holds_bytes" = ?, "blob_id" = ?, "size" = ?, "sha256" = ?, "created_at" = ?, "expires_at" = ?, "cause_id" = ?, "sealed" = ?
  where "site_id" = ? and "file_id" = ? and "state" = ?;

-- domain/files/file-rows.ts: updateLost
update "files"
  set "file_id" = ?, "site_id" = ?, "job_id" = ?, "name" = ?, "content_type" = ?, "state" = ?, "kind" = ?, "client_id" = ?, "holds_bytes" = ?, "blob_id" = ?, "size" = ?, "sha256" = ?, "created_at" = ?, "expires_at" = ?, "cause_id" = ?, "sealed" = ?
  where "site_id" = ? and "file_id" = ? and "state" = ? and "blob_id" = ?;

-- domain/files/seals/seal-rows.ts: deleteContentKeys
-- No site: by random ids of blobs, read from rows that were found under their site.
delete
  from "content_keys"
  where "key_of" in (?);

-- domain/files/seals/seal-rows.ts: deleteOlderKeys
delete
  from "site_keys"
  where "site_id" = ? and "version" < ?;

-- domain/files/seals/seal-rows.ts: insertContentKey
insert into "content_keys" ("key_of", "site_id", "job_id", "site_key", "sealed_key")
  values (?, ?, ?, ?, ?)
  on conflict do nothing;

-- domain/files/seals/seal-rows.ts: insertSiteKey
insert into "site_keys" ("site_id", "version", "sealed_key", "created_at")
  values (?, ?, ?, ?)
  on conflict do nothing;

-- domain/files/seals/seal-rows.ts: lockSiteKeys (SQLite)
select *
  from "site_keys"
  where "site_id" = ?
  order by "version" desc;
-- domain/files/seals/seal-rows.ts: lockSiteKeys (PostgreSQL)
select *
  from "site_keys"
  where "site_id" = $1
  order by "version" desc for no key update;

-- domain/files/seals/seal-rows.ts: selectContentKey
select "c".*, "s"."sealed_key" as "site_sealed_key"
  from "content_keys" as "c"
  left join "site_keys" as "s" on "s"."site_id" = "c"."site_id" and "s"."version" = "c"."site_key"
  where "c"."site_id" = ? and "c"."key_of" = ?;

-- domain/files/seals/seal-rows.ts: selectNewestKey (SQLite)
select *
  from "site_keys"
  where "site_id" = ?
  order by "version" desc
  limit ?;
-- domain/files/seals/seal-rows.ts: selectNewestKey (PostgreSQL)
select *
  from "site_keys"
  where "site_id" = $1
  order by "version" desc
  limit $2 for key share;

-- domain/files/seals/seal-rows.ts: selectOlder (SQLite)
select *
  from "content_keys"
  where "site_id" = ? and "site_key" < ?
  order by "site_key"
  limit ?;
-- domain/files/seals/seal-rows.ts: selectOlder (PostgreSQL)
select *
  from "content_keys"
  where "site_id" = $1 and "site_key" < $2
  order by "site_key"
  limit $3 for no key update;

-- domain/files/seals/seal-rows.ts: sitesWithKeys
-- No site: upkeep over all sites.
select distinct "site_id"
  from "site_keys"
  order by "site_id";

-- domain/files/seals/seal-rows.ts: updateContentKeys (SQLite)
with given(key_of, sealed_key) as (values (?, ?)) update content_keys
  set site_key = ?, sealed_key = given.sealed_key
  from given
  where content_keys.site_id = ? and content_keys.key_of = given.key_of;
-- domain/files/seals/seal-rows.ts: updateContentKeys (PostgreSQL)
with given(key_of, sealed_key) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]))) update content_keys
  set site_key = cast($3 as bigint), sealed_key = given.sealed_key
  from given
  where content_keys.site_id = cast($4 as text) and content_keys.key_of = given.key_of;

-- domain/files/upload-rows.ts: askWriter
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "wanted" = ?
  where "upload_id" = ?
  returning "writer";

-- domain/files/upload-rows.ts: declareLength
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "length" = ?, "deferred" = ?
  where "upload_id" = ? and "writer" = ? and "deferred" = ?;

-- domain/files/upload-rows.ts: freeWriter
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "writer" = ?, "writer_until" = ?, "wanted" = ?
  where "upload_id" = ? and "writer" = ?;

-- domain/files/upload-rows.ts: insertUpload
insert into "uploads" ("upload_id", "file_id", "site_id", "blob_id", "sealed", "concat", "length", "deferred", "received", "progress", "metadata", "created_at", "expires_at", "writer", "writer_until", "wanted")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/files/upload-rows.ts: isUploadOpen
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
select "uploads"."upload_id"
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "uploads"."blob_id" = ? and "files"."state" = ?;

-- domain/files/upload-rows.ts: keepReceived
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "upload_id" = ?, "file_id" = ?, "site_id" = ?, "blob_id" = ?, "sealed" = ?, "concat" = ?, "length" = ?, "deferred" = ?, "received" = ?, "progress" = ?, "metadata" = ?, "created_at" = ?, "expires_at" = ?, "writer" = ?, "writer_until" = ?, "wanted" = ?
  where "upload_id" = ? and "writer" = ?;

-- domain/files/upload-rows.ts: keepWriter
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "writer_until" = ?
  where "upload_id" = ? and "writer" = ?
  returning "wanted";

-- domain/files/upload-rows.ts: removeOtherUploads
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
delete
  from "uploads"
  where "file_id" = ? and "blob_id" != ?
  returning "blob_id";

-- domain/files/upload-rows.ts: removeUpload
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
delete
  from "uploads"
  where "upload_id" = ?;

-- domain/files/upload-rows.ts: selectOpenUploads
-- No site: a copy of the hub covers all sites.
select "uploads".*
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "files"."state" = ? and "uploads"."received" > ?;

-- domain/files/upload-rows.ts: selectUpload
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
select *
  from "uploads"
  where "upload_id" = ?;

-- domain/files/upload-rows.ts: selectUploadsOf
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
select *
  from "uploads"
  where "file_id" = ?
  order by "created_at", "upload_id";

-- domain/files/upload-rows.ts: takeFromLate
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
select "writer", "progress"
  from "uploads"
  where "upload_id" = ? and "writer_until" <= ?;

-- domain/files/upload-rows.ts: takeWriter
-- No site: an upload is reached by its random id, known only to the holder of its file's token.
update "uploads"
  set "writer" = ?, "writer_until" = ?, "wanted" = ?
  where "upload_id" = ? and "writer" is null;

-- domain/handover/provider-job-rows.ts: countInJobs
select "job_id", count(*) as "count"
  from "requests"
  where "site_id" = ? and "job_id" in (?)
  group by "job_id";
select "job_id", count(*) as "count"
  from "support_assets"
  where "site_id" = ? and "job_id" in (?)
  group by "job_id";

-- domain/handover/provider-job-rows.ts: selectNames
-- No site: a person may have roles in several sites and signs in without naming one.
select "person_id", "name"
  from "people"
  where "person_id" in (?);

-- domain/handover/provider-job-rows.ts: selectSupportAssetIds
select "asset_id"
  from "support_assets"
  where "site_id" = ? and "job_id" = ?
  order by "position";

-- domain/handover/quoting/quote-rows.ts: insertQuote
insert into "job_quotes" ("job_id", "site_id", "quote", "quoted_at", "cause_id")
  values (?, ?, ?, ?, ?)
  on conflict ("job_id") do nothing;

-- domain/handover/quoting/quote-rows.ts: selectQuote
select "quote"
  from "job_quotes"
  where "site_id" = ? and "job_id" = ?;

-- domain/handover/quoting/quote-rows.ts: selectQuotes
select "job_id", "quote"
  from "job_quotes"
  where "site_id" = ? and "job_id" in (?);

-- domain/handover/routing/routing-rows.ts: selectRouting
select "routing"
  from "sites"
  where "site_id" = ?;

-- domain/handover/routing/routing-rows.ts: updateRouting
update "sites"
  set "routing" = ?
  where "site_id" = ?;

-- domain/jobs/assets/asset-rows.ts: insertAsset
insert into "support_assets" ("asset_id", "site_id", "job_id", "position", "file_id", "description", "source_native_ids", "source_language", "target_languages", "extended_metadata", "created_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/jobs/assets/asset-rows.ts: measureAssets
select count(*) as "count", max("position") as "last"
  from "support_assets"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/assets/asset-rows.ts: removeAsset
delete
  from "support_assets"
  where "site_id" = ? and "job_id" = ? and "asset_id" = ?;

-- domain/jobs/assets/asset-rows.ts: selectAsset
select "support_assets".*, "files"."name" as "file_name"
  from "support_assets"
  inner join "files" on "files"."file_id" = "support_assets"."file_id" and "files"."site_id" = "support_assets"."site_id"
  where "support_assets"."site_id" = ? and "support_assets"."job_id" = ? and "asset_id" = ?;

-- domain/jobs/assets/asset-rows.ts: selectAssets
select "support_assets".*, "files"."name" as "file_name"
  from "support_assets"
  inner join "files" on "files"."file_id" = "support_assets"."file_id" and "files"."site_id" = "support_assets"."site_id"
  where "support_assets"."site_id" = ? and "support_assets"."job_id" = ? and "position" > ?
  order by "position"
  limit ?;

-- domain/jobs/assets/tm-update-rows.ts: insertTmUpdate
insert into "tm_updates" ("tmupdate_id", "site_id", "job_id", "position", "file_id", "source_language", "target_language", "extended_metadata", "created_at", "cause_id", "import_status", "import_error", "units_read", "units_added", "units_changed", "units_skipped")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/jobs/assets/tm-update-rows.ts: measureTmUpdates
select count(*) as "count", max("position") as "last"
  from "tm_updates"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/assets/tm-update-rows.ts: selectTmUpdate
select "tm_updates".*, "files"."name" as "file_name"
  from "tm_updates"
  inner join "files" on "files"."file_id" = "tm_updates"."file_id" and "files"."site_id" = "tm_updates"."site_id"
  where "tm_updates"."site_id" = ? and "tm_updates"."job_id" = ? and "tmupdate_id" = ?;

-- domain/jobs/assets/tm-update-rows.ts: selectTmUpdates
select "tm_updates".*, "files"."name" as "file_name"
  from "tm_updates"
  inner join "files" on "files"."file_id" = "tm_updates"."file_id" and "files"."site_id" = "tm_updates"."site_id"
  where "tm_updates"."site_id" = ? and "tm_updates"."job_id" = ? and "position" > ?
  order by "position"
  limit ?;

-- domain/jobs/assets/tm-update-rows.ts: updateImport
update "tm_updates"
  set "tmupdate_id" = ?, "site_id" = ?, "job_id" = ?, "position" = ?, "file_id" = ?, "source_language" = ?, "target_language" = ?, "extended_metadata" = ?, "created_at" = ?, "cause_id" = ?, "import_status" = ?, "import_error" = ?, "units_read" = ?, "units_added" = ?, "units_changed" = ?, "units_skipped" = ?
  where "site_id" = ? and "tmupdate_id" = ? and "units_read" = ?;

-- domain/jobs/count-rows.ts: countInReview
select count(distinct case when status = 'REVIEW_TRANSLATION' then job_id end) as "jobs", count(*) as "read"
  from (select "job_id", "status"
  from "requests"
  where "site_id" = ? and "job_id" in (?)
  limit ?) as "some";

-- domain/jobs/count-rows.ts: countJobs (SQLite)
select "name"
  from "job_labels"
  where "site_id" = ? and "name" = ?
  order by "value"
  limit ? offset ?;
select "job_id"
  from "job_codes"
  where "site_id" = ? and "level" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) and "code_key" = ?
  limit ? offset ?;
select count(*) as "many"
  from (select 1 as "one"
  from "jobs"
  where "site_id" = ? and "archived" = ? and (("status" = ? and ("provider_id" is null or "provider_id" <> ?)) or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."job_id" = "jobs"."job_id") or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."value" = ? and "job_labels"."job_id" = "jobs"."job_id") or exists (select "job_codes"."level"
  from "job_codes"
  where "job_codes"."site_id" = ? and "job_codes"."level" in (?) and "job_codes"."code_key" = ? and "job_codes"."job_id" = "jobs"."job_id") or "job_id" in (?, ?) or ("po_reference" is not null and "po_reference" glob ?) or ("jobs"."provider_id" in (?) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in (?)))) and has_error = 1
  limit ?) as "some";
select count(*) as "many"
  from (select 1 as "one"
  from "jobs"
  where "site_id" = ? and "archived" = ? and (("status" = ? and ("provider_id" is null or "provider_id" <> ?)) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ?) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."value" = ?) or "jobs"."job_id" in (select "job_codes"."job_id"
  from "job_codes"
  where "job_codes"."site_id" = ? and "job_codes"."level" in (?) and "job_codes"."code_key" = ?) or "job_id" in (?, ?) or ("po_reference" is not null and "po_reference" glob ?) or ("jobs"."provider_id" in (?) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in (?)))) and has_error = 1
  limit ?) as "some";
-- domain/jobs/count-rows.ts: countJobs (PostgreSQL)
select "name"
  from "job_labels"
  where "site_id" = $1 and "name" = $2
  order by "value"
  limit $3 offset $4;
select "job_id"
  from "job_codes"
  where "site_id" = $1 and "level" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) and "code_key" = $12
  limit $13 offset $14;
select count(*) as "many"
  from (select 1 as "one"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and (("status" = $3 and ("provider_id" is null or "provider_id" <> $4)) or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = $5 and "job_labels"."name" = $6 and "job_labels"."job_id" = "jobs"."job_id") or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = $7 and "job_labels"."name" = $8 and "job_labels"."value" = $9 and "job_labels"."job_id" = "jobs"."job_id") or exists (select "job_codes"."level"
  from "job_codes"
  where "job_codes"."site_id" = $10 and "job_codes"."level" in ($11) and "job_codes"."code_key" = $12 and "job_codes"."job_id" = "jobs"."job_id") or "job_id" in ($13, $14) or ("po_reference" is not null and "po_reference" ~ $15) or ("jobs"."provider_id" in ($16) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in ($17)))) and has_error = 1
  limit $18) as "some";
select count(*) as "many"
  from (select 1 as "one"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and (("status" = $3 and ("provider_id" is null or "provider_id" <> $4)) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = $5 and "job_labels"."name" = $6) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = $7 and "job_labels"."name" = $8 and "job_labels"."value" = $9) or "jobs"."job_id" in (select "job_codes"."job_id"
  from "job_codes"
  where "job_codes"."site_id" = $10 and "job_codes"."level" in ($11) and "job_codes"."code_key" = $12) or "job_id" in ($13, $14) or ("po_reference" is not null and "po_reference" ~ $15) or ("jobs"."provider_id" in ($16) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in ($17)))) and has_error = 1
  limit $18) as "some";

-- domain/jobs/count-rows.ts: selectInTranslation
select "job_id"
  from "jobs"
  where "site_id" = ? and "archived" = ? and "status" = ?
  order by "created_at" desc, "job_id" desc
  limit ?;

-- domain/jobs/job-code-rows.ts: insertCodes
insert into "job_codes" ("site_id", "job_id", "level", "code_key", "code_id")
  values (?, ?, ?, ?, ?);

-- domain/jobs/job-code-rows.ts: replaceCodes
delete
  from "job_codes"
  where "site_id" = ? and "job_id" = ?;
insert into "job_codes" ("site_id", "job_id", "level", "code_key", "code_id")
  values (?, ?, ?, ?, ?);

-- domain/jobs/job-rows.ts: countRequests
select "job_id", "status", count(*) as "total", sum("has_error") as "with_errors"
  from "requests"
  where "site_id" = ? and "job_id" in (?) and lower(replace(requests.target_language, '_', '-')) in (?)
  group by "job_id", "status";

-- domain/jobs/job-rows.ts: firstArchival
-- No site: upkeep over all sites.
select "archival_at"
  from "jobs"
  where "archive_status" = ?
  order by "archival_at"
  limit ?;

-- domain/jobs/job-rows.ts: insertJob
insert into "jobs" ("description", "error_message", "submitter_id", "provider_id", "chain_id", "routed_by", "hops", "upstream", "provider_reference", "po_reference", "due_at", "submitted_at", "archived_at", "custom_data", "should_quote", "connector_name", "connector_version", "service_type", "extended_metadata", "format_options", "segmentation", "cut_rule", "labels", "global_tracking_id", "source_language", "target_languages", "analysis_codes", "job_id", "site_id", "job_name", "creator_id", "cause_id", "created_at", "modified_at", "activity_at", "archival_at", "status", "archive_status", "archived", "has_error", "acknowledged", "version")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
insert into "job_labels" ("site_id", "job_id", "name", "value")
  values (?, ?, ?, ?);

-- domain/jobs/job-rows.ts: removeJob
delete
  from "requests"
  where "site_id" = ? and "job_id" = ?;
delete
  from "source_contents"
  where "site_id" = ? and "job_id" = ?;
delete
  from "jobs"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/job-rows.ts: replaceLabels
delete
  from "job_labels"
  where "site_id" = ? and "job_id" = ?;
insert into "job_labels" ("site_id", "job_id", "name", "value")
  values (?, ?, ?, ?);

-- domain/jobs/job-rows.ts: selectArchivedUntil
select "site_id", "job_id", "archived_at"
  from "jobs"
  where "archived_at" is not null and "archived_at" <= ? and "site_id" = ?
  order by "archived_at", "job_id"
  limit ?;
-- No site: upkeep, or an operator, over all sites.
select "site_id", "job_id", "archived_at"
  from "jobs"
  where "archived_at" is not null and "archived_at" <= ?
  order by "archived_at", "job_id"
  limit ?;

-- domain/jobs/job-rows.ts: selectIdleJobs
-- No site: upkeep over all sites.
select "site_id", "job_id"
  from "jobs"
  where "archive_status" = ? and "archival_at" <= ?
  order by "archival_at"
  limit ?;

-- domain/jobs/job-rows.ts: selectJob
select *
  from "jobs"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/job-rows.ts: selectJobLocked (SQLite)
select *
  from "jobs"
  where "site_id" = ? and "job_id" = ?;
-- domain/jobs/job-rows.ts: selectJobLocked (PostgreSQL)
select *
  from "jobs"
  where "site_id" = $1 and "job_id" = $2 for update;

-- domain/jobs/job-rows.ts: selectJobsById
select *
  from "jobs"
  where "job_id" in (?) and site_id || '' = ?;

-- domain/jobs/job-rows.ts: selectState
select "job_id", "status", "archive_status", "provider_id"
  from "jobs"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/job-rows.ts: selectVersion
select "version"
  from "jobs"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/job-rows.ts: sumContentBytes
select cast(sum(bytes) as bigint) as bytes
  from ( select bytes
  from source_contents
  where site_id = ? and job_id = ? union all select bytes
  from drafts
  where site_id = ? and job_id = ? union all select octet_length(extended_metadata)
  from jobs
  where site_id = ? and job_id = ? union all select octet_length(extended_metadata)
  from requests
  where site_id = ? and job_id = ? union all select octet_length(extended_metadata)
  from support_assets
  where site_id = ? and job_id = ? union all select octet_length(extended_metadata)
  from tm_updates
  where site_id = ? and job_id = ? ) as kept;

-- domain/jobs/job-rows.ts: updateJob
update "jobs"
  set "job_id" = ?, "site_id" = ?, "job_name" = ?, "description" = ?, "status" = ?, "archive_status" = ?, "archived" = ?, "has_error" = ?, "error_message" = ?, "creator_id" = ?, "submitter_id" = ?, "provider_id" = ?, "provider_reference" = ?, "po_reference" = ?, "due_at" = ?, "created_at" = ?, "modified_at" = ?, "submitted_at" = ?, "activity_at" = ?, "archival_at" = ?, "custom_data" = ?, "should_quote" = ?, "connector_name" = ?, "connector_version" = ?, "service_type" = ?, "extended_metadata" = ?, "labels" = ?, "global_tracking_id" = ?, "source_language" = ?, "target_languages" = ?, "analysis_codes" = ?, "version" = "version" + ?, "cause_id" = ?, "acknowledged" = ?, "format_options" = ?, "archived_at" = ?, "segmentation" = ?, "cut_rule" = ?, "routed_by" = ?, "chain_id" = ?, "hops" = ?, "upstream" = ?
  where "site_id" = ? and "job_id" = ?
  returning *;

-- domain/jobs/list-rows.ts: rareLabels
select "name"
  from "job_labels"
  where "site_id" = ? and "name" = ?
  order by "value"
  limit ? offset ?;
select "job_id"
  from "job_codes"
  where "site_id" = ? and "level" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) and "code_key" = ?
  limit ? offset ?;

-- domain/jobs/list-rows.ts: selectJobs (SQLite)
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = ? and "archived" = ?
  order by "created_at" desc, "job_id" desc
  limit 51;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and ("created_at" <= ? and ("created_at" < ? or ("created_at" = ? and "job_id" < ?)))
  order by "created_at" desc, "job_id" desc
  limit 51;
select "job_id", "version", "due_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and ("due_at" >= ? and ("due_at" > ? or ("due_at" = ? and "job_id" > ?))) and "due_at" is not null
  order by "due_at" asc, "job_id" asc
  limit ?;
select "job_id", "version"
  from "jobs"
  where "site_id" = ? and "archived" = ? and "due_at" is null
  order by "job_id" asc
  limit ?;
select "job_id", "version"
  from "jobs"
  where "site_id" = ? and "archived" = ? and ("job_id" >= ? and "job_id" > ?) and "due_at" is null
  order by "job_id" asc
  limit ?;
select "name"
  from "job_labels"
  where "site_id" = ? and "name" = ?
  order by "value"
  limit ? offset ?;
select "job_id"
  from "job_codes"
  where "site_id" = ? and "level" in (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) and "code_key" = ?
  limit ? offset ?;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and (("status" = ? and ("provider_id" is null or "provider_id" <> ?)) or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."job_id" = "jobs"."job_id") or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."value" = ? and "job_labels"."job_id" = "jobs"."job_id") or exists (select "job_codes"."level"
  from "job_codes"
  where "job_codes"."site_id" = ? and "job_codes"."level" in (?) and "job_codes"."code_key" = ? and "job_codes"."job_id" = "jobs"."job_id") or "job_id" in (?, ?) or ("po_reference" is not null and "po_reference" glob ?) or ("jobs"."provider_id" in (?) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in (?))))
  order by "created_at" desc, "job_id" desc
  limit ?;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and (("status" = ? and ("provider_id" is null or "provider_id" <> ?)) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ?) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = ? and "job_labels"."name" = ? and "job_labels"."value" = ?) or "jobs"."job_id" in (select "job_codes"."job_id"
  from "job_codes"
  where "job_codes"."site_id" = ? and "job_codes"."level" in (?) and "job_codes"."code_key" = ?) or "job_id" in (?, ?) or ("po_reference" is not null and "po_reference" glob ?) or ("jobs"."provider_id" in (?) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in (?))))
  order by "created_at" desc, "job_id" desc
  limit ?;
-- domain/jobs/list-rows.ts: selectJobs (PostgreSQL)
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = $1 and "archived" = $2
  order by "created_at" desc, "job_id" desc
  limit 51;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and ("created_at" <= $3 and ("created_at" < $4 or ("created_at" = $5 and "job_id" < $6)))
  order by "created_at" desc, "job_id" desc
  limit 51;
select "job_id", "version", "due_at"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and ("due_at" >= $3 and ("due_at" > $4 or ("due_at" = $5 and "job_id" > $6))) and "due_at" is not null
  order by "due_at" asc, "job_id" asc
  limit $7;
select "job_id", "version"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and "due_at" is null
  order by "job_id" asc
  limit $3;
select "job_id", "version"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and ("job_id" >= $3 and "job_id" > $4) and "due_at" is null
  order by "job_id" asc
  limit $5;
select "name"
  from "job_labels"
  where "site_id" = $1 and "name" = $2
  order by "value"
  limit $3 offset $4;
select "job_id"
  from "job_codes"
  where "site_id" = $1 and "level" in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) and "code_key" = $12
  limit $13 offset $14;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and (("status" = $3 and ("provider_id" is null or "provider_id" <> $4)) or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = $5 and "job_labels"."name" = $6 and "job_labels"."job_id" = "jobs"."job_id") or not exists (select "job_labels"."name"
  from "job_labels"
  where "job_labels"."site_id" = $7 and "job_labels"."name" = $8 and "job_labels"."value" = $9 and "job_labels"."job_id" = "jobs"."job_id") or exists (select "job_codes"."level"
  from "job_codes"
  where "job_codes"."site_id" = $10 and "job_codes"."level" in ($11) and "job_codes"."code_key" = $12 and "job_codes"."job_id" = "jobs"."job_id") or "job_id" in ($13, $14) or ("po_reference" is not null and "po_reference" ~ $15) or ("jobs"."provider_id" in ($16) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in ($17))))
  order by "created_at" desc, "job_id" desc
  limit $18;
select "job_id", "version", "created_at"
  from "jobs"
  where "site_id" = $1 and "archived" = $2 and (("status" = $3 and ("provider_id" is null or "provider_id" <> $4)) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = $5 and "job_labels"."name" = $6) or not "jobs"."job_id" in (select "job_labels"."job_id"
  from "job_labels"
  where "job_labels"."site_id" = $7 and "job_labels"."name" = $8 and "job_labels"."value" = $9) or "jobs"."job_id" in (select "job_codes"."job_id"
  from "job_codes"
  where "job_codes"."site_id" = $10 and "job_codes"."level" in ($11) and "job_codes"."code_key" = $12) or "job_id" in ($13, $14) or ("po_reference" is not null and "po_reference" ~ $15) or ("jobs"."provider_id" in ($16) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in ($17))))
  order by "created_at" desc, "job_id" desc
  limit $18;

-- domain/jobs/list-rows.ts: selectSentJobs
select "name"
  from "job_labels"
  where "site_id" = ? and "name" = ?
  order by "value"
  limit ? offset ?;

-- domain/jobs/move-rows.ts: insertMove
insert into "moves" ("move_id", "site_id", "job_id", "request_ids", "move", "from_status", "to_status", "moved_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/jobs/provider-work-rows.ts: selectWork
select "provider_id", count(*) as "jobs", sum(has_error) as "errors", sum(case when due_at < ? then 1 else 0 end) as "late"
  from (select "provider_id", "has_error", "due_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and "status" in (?) and "provider_id" is not null
  limit ?) as "open_jobs"
  group by "provider_id";

-- domain/jobs/requests/content-rows.ts: countContents
select count(*) as "contents"
  from "source_contents"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/requests/content-rows.ts: insertContents (SQLite)
insert into source_contents (content_id, fields, bytes, site_id, job_id, created_at, modified_at) with given as (values (?, ?, ?)) select given.*, ?, ?, ?, ?
  from given;
insert into "site_bytes" ("site_id", "shard", "bytes")
  values (?, ?, ?)
  on conflict ("site_id", "shard") do update
  set "bytes" = "site_bytes"."bytes" + "excluded"."bytes";
-- domain/jobs/requests/content-rows.ts: insertContents (PostgreSQL)
insert into source_contents (content_id, fields, bytes, site_id, job_id, created_at, modified_at) with given as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as bigint[]))) select given.*, cast($4 as text), cast($5 as text), cast($6 as bigint), cast($7 as bigint)
  from given;
insert into "site_bytes" ("site_id", "shard", "bytes")
  values ($1, $2, $3)
  on conflict ("site_id", "shard") do update
  set "bytes" = "site_bytes"."bytes" + "excluded"."bytes";

-- domain/jobs/requests/content-rows.ts: removeContents
delete
  from "source_contents"
  where "site_id" = ? and "job_id" = ? and "content_id" in (?)
  returning "bytes";

-- domain/jobs/requests/content-rows.ts: selectContent
select *
  from "source_contents"
  where "site_id" = ? and "job_id" = ? and "content_id" = ?;

-- domain/jobs/requests/content-rows.ts: selectContentIds
select "content_id"
  from "source_contents"
  where "site_id" = ? and "job_id" = ? and "content_id" in (?);

-- domain/jobs/requests/content-rows.ts: selectContentOfRequest
-- No site: the signed link names random ids.
select "requests"."request_name", "requests"."job_id", "requests"."site_id", "jobs"."archive_status", "source_contents"."fields", "source_contents"."modified_at"
  from "requests"
  inner join "source_contents" on "source_contents"."job_id" = "requests"."job_id" and "source_contents"."site_id" = "requests"."site_id"
  inner join "jobs" on "jobs"."job_id" = "requests"."job_id" and "jobs"."site_id" = "requests"."site_id"
  where "requests"."job_id" = ? and "requests"."request_id" = ? and "source_contents"."content_id" = ?;

-- domain/jobs/requests/content-rows.ts: selectContentSizes
select "content_id", "bytes"
  from "source_contents"
  where "site_id" = ? and "job_id" = ? and "content_id" in (?);

-- domain/jobs/requests/content-rows.ts: selectContents (SQLite)
with given(site_id, job_id, content_id) as (values (?, ?, ?)) select c.content_id, c.fields
  from given cross
  join source_contents c on c.job_id = given.job_id and c.content_id = given.content_id and c.site_id = given.site_id;
-- domain/jobs/requests/content-rows.ts: selectContents (PostgreSQL)
with given(site_id, job_id, content_id) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as text[]))) select c.content_id, c.fields
  from given
  join source_contents c on c.job_id = given.job_id and c.content_id = given.content_id and c.site_id = given.site_id;

-- domain/jobs/requests/content-rows.ts: updateContent
update "source_contents"
  set "content_id" = ?, "site_id" = ?, "job_id" = ?, "fields" = ?, "bytes" = ?, "created_at" = ?, "modified_at" = ?
  where "site_id" = ? and "job_id" = ? and "content_id" = ?;

-- domain/jobs/requests/deliveries/delivery-rows.ts: keepTargets
update "drafts"
  set "previous" = "delivered", "delivered" = coalesce("target", "delivered"), "previous_review" = "review", "review" = ?, "delivered_kept" = "kept", "replaced" = ?
  where "site_id" = ? and "job_id" = ? and "request_id" in (?);

-- domain/jobs/requests/deliveries/delivery-rows.ts: replaceTargets
update "drafts"
  set "previous" = "delivered", "delivered" = ?, "previous_review" = "review", "review" = ?, "replaced" = case when target is null then replaced when target = delivered then null else target end, "target" = ?, "target_digest" = ?, "kept" = ?, "delivered_kept" = ?
  where "site_id" = ? and "job_id" = ? and "request_id" in (?);

-- domain/jobs/requests/deliveries/delivery-rows.ts: selectFormer
select "texts"
  from "former_targets"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;

-- domain/jobs/requests/deliveries/delivery-rows.ts: selectVersions
select "request_id", max("version") as "version"
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" in (?)
  group by "request_id";

-- domain/jobs/requests/deliveries/delivery-rows.ts: writeFormer
delete
  from "former_targets"
  where "site_id" = ? and "job_id" = ? and "request_id" in (?);
insert into "former_targets" ("site_id", "job_id", "request_id", "texts")
  values (?, ?, ?, ?);

-- domain/jobs/requests/request-rows.ts: countOpenRequests
select count(*) as "open"
  from "requests"
  where "site_id" = ? and "job_id" = ? and "status" <> ?;

-- domain/jobs/requests/request-rows.ts: insertRequests (SQLite)
insert into requests (request_id, position, request_name, error_message, source_native_id, source_language, target_native_id, target_language, word_count, file_id, content_id, format, provider_reference, reject_note, extended_metadata, translation_file_id, translation_content_id, incoming_file_id, incoming_content_id, warnings, last_try, assignee, desk_version, site_id, job_id, status, has_error, created_at, modified_at, forced, cause_id) with given as (values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) select given.*, ?, ?, ?, ?, ?, ?, ?, ?
  from given;
-- domain/jobs/requests/request-rows.ts: insertRequests (PostgreSQL)
insert into requests (request_id, position, request_name, error_message, source_native_id, source_language, target_native_id, target_language, word_count, file_id, content_id, format, provider_reference, reject_note, extended_metadata, translation_file_id, translation_content_id, incoming_file_id, incoming_content_id, warnings, last_try, assignee, desk_version, site_id, job_id, status, has_error, created_at, modified_at, forced, cause_id) with given as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as bigint[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]), cast(cast($6 as text) as text[]), cast(cast($7 as text) as text[]), cast(cast($8 as text) as text[]), cast(cast($9 as text) as bigint[]), cast(cast($10 as text) as text[]), cast(cast($11 as text) as text[]), cast(cast($12 as text) as text[]), cast(cast($13 as text) as text[]), cast(cast($14 as text) as text[]), cast(cast($15 as text) as text[]), cast(cast($16 as text) as text[]), cast(cast($17 as text) as text[]), cast(cast($18 as text) as text[]), cast(cast($19 as text) as text[]), cast(cast($20 as text) as text[]), cast(cast($21 as text) as text[]), cast(cast($22 as text) as text[]), cast(cast($23 as text) as bigint[]))) select given.*, cast($24 as text), cast($25 as text), cast($26 as text), cast($27 as bigint), cast($28 as bigint), cast($29 as bigint), cast($30 as bigint), cast($31 as text)
  from given;

-- domain/jobs/requests/request-rows.ts: measureRequests
select count(*) as "count", count("file_id") as "files", max("position") as "last"
  from "requests"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/requests/request-rows.ts: removeRequest
delete
  from "requests"
  where "site_id" = ? and "job_id" = ? and "request_id" = ?;

-- domain/jobs/requests/request-rows.ts: selectLanguagePairs
select distinct "source_language", "target_language"
  from "requests"
  where "site_id" = ? and "job_id" = ?;

-- domain/jobs/requests/request-rows.ts: selectLastTry
select "last_try"
  from "requests"
  where "site_id" = ? and "job_id" = ? and "position" > ? and "position" <= ? and "last_try" is not null
  order by "position"
  limit ?;

-- domain/jobs/requests/request-rows.ts: selectMetadata
select "request_id", "extended_metadata"
  from "requests"
  where "site_id" = ? and "job_id" = ? and "request_id" in (?);

-- domain/jobs/requests/request-rows.ts: selectMovable
select "request_id", "site_id", "job_id", "status", "reject_note", "translation_file_id", "translation_content_id", "desk_version"
  from "requests"
  where "site_id" = ? and "job_id" = ? and "position" > ? and "position" <= ? and "status" in (?)
  order by "position"
  limit ?;

-- domain/jobs/requests/request-rows.ts: selectRange
select "files"."name" as "file_name", "requests"."request_id", "requests"."site_id", "requests"."job_id", "requests"."position", "requests"."request_name", "requests"."status", "requests"."has_error", "requests"."error_message", "requests"."source_native_id", "requests"."source_language", "requests"."target_native_id", "requests"."target_language", "requests"."created_at", "requests"."modified_at", "requests"."word_count", "requests"."file_id", "requests"."content_id", "requests"."format", "requests"."provider_reference", "requests"."reject_note", "requests"."translation_file_id", "requests"."translation_content_id", "requests"."incoming_file_id", "requests"."incoming_content_id", "requests"."warnings", "requests"."forced", "requests"."last_try", "requests"."assignee", "requests"."desk_version", "requests"."cause_id"
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."position" > ? and "requests"."position" <= ?
  order by "requests"."position"
  limit ?;

-- domain/jobs/requests/request-rows.ts: selectRequest
select "files"."name" as "file_name", "requests".*, "machine_work"."translation_id" as "drafts_id"
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  left join "machine_work" on "machine_work"."job_id" = "requests"."job_id" and "machine_work"."request_id" = "requests"."request_id" and "machine_work"."site_id" = "requests"."site_id" and "machine_work"."drafts" is not null
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."request_id" = ?;

-- domain/jobs/requests/request-rows.ts: selectRequestLocked (SQLite)
select "files"."name" as "file_name", "requests".*, "machine_work"."translation_id" as "drafts_id"
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  left join "machine_work" on "machine_work"."job_id" = "requests"."job_id" and "machine_work"."request_id" = "requests"."request_id" and "machine_work"."site_id" = "requests"."site_id" and "machine_work"."drafts" is not null
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."request_id" = ?;
-- domain/jobs/requests/request-rows.ts: selectRequestLocked (PostgreSQL)
select "files"."name" as "file_name", "requests".*, "machine_work"."translation_id" as "drafts_id"
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  left join "machine_work" on "machine_work"."job_id" = "requests"."job_id" and "machine_work"."request_id" = "requests"."request_id" and "machine_work"."site_id" = "requests"."site_id" and "machine_work"."drafts" is not null
  where "requests"."site_id" = $1 and "requests"."job_id" = $2 and "requests"."request_id" = $3
  for update of "requests";

-- domain/jobs/requests/request-rows.ts: selectRequests
select "files"."name" as "file_name", "requests".*
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."request_id" in (?) and "requests"."status" in (?) and lower(replace(requests.target_language, '_', '-')) in (?) and "requests"."position" > ?
  order by "requests"."position"
  limit ?;

-- domain/jobs/requests/request-rows.ts: selectRequestsById
select "files"."name" as "file_name", "requests"."request_id", "requests"."site_id", "requests"."job_id", "requests"."position", "requests"."request_name", "requests"."status", "requests"."has_error", "requests"."error_message", "requests"."source_native_id", "requests"."source_language", "requests"."target_native_id", "requests"."target_language", "requests"."created_at", "requests"."modified_at", "requests"."word_count", "requests"."file_id", "requests"."content_id", "requests"."format", "requests"."provider_reference", "requests"."reject_note", "requests"."translation_file_id", "requests"."translation_content_id", "requests"."incoming_file_id", "requests"."incoming_content_id", "requests"."warnings", "requests"."forced", "requests"."last_try", "requests"."assignee", "requests"."desk_version", "requests"."cause_id", coalesce(octet_length(requests.extended_metadata), 0) as "metadata_bytes"
  from "requests"
  left join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "requests"."request_id" in (?);

-- domain/jobs/requests/request-rows.ts: selectReviews
select "request_id", "review"
  from "drafts"
  where "site_id" = ? and "job_id" = ? and "request_id" in (?) and "review" is not null;

-- domain/jobs/requests/request-rows.ts: selectUnready
select "files"."file_id"
  from "requests"
  inner join "files" on "files"."file_id" = "requests"."file_id" and "files"."site_id" = "requests"."site_id"
  where "requests"."site_id" = ? and "requests"."job_id" = ? and "files"."state" = ?
  order by "requests"."position"
  limit ?;

-- domain/jobs/requests/request-rows.ts: setLastTry
update "requests"
  set "last_try" = ?
  where "site_id" = ? and "job_id" = ? and "position" > ? and "position" <= ? and "status" in (?, ?, ?);

-- domain/jobs/requests/request-rows.ts: updateRequests (SQLite)
with given(request_id, status, translation_content_id) as (values (?, ?, ?)) update requests
  set has_error = ?, error_message = ?, last_try = ?, modified_at = ?, status = given.status, translation_content_id = given.translation_content_id
  from given
  where requests.site_id = ? and requests.job_id = ? and requests.request_id = given.request_id;
-- domain/jobs/requests/request-rows.ts: updateRequests (PostgreSQL)
with given(request_id, status, translation_content_id) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as text[]))) update requests
  set has_error = cast($4 as bigint), error_message = cast($5 as text), last_try = cast($6 as text), modified_at = cast($7 as bigint), status = given.status, translation_content_id = given.translation_content_id
  from given
  where requests.site_id = cast($8 as text) and requests.job_id = cast($9 as text) and requests.request_id = given.request_id;

-- domain/jobs/requests/used-pair-rows.ts: selectNewestJobs
select "job_id"
  from "jobs"
  where "site_id" = ? and "archived" = ?
  order by "created_at" desc, "job_id" desc
  limit ?;

-- domain/jobs/requests/used-pair-rows.ts: selectPairs
select "source_language", "target_language", count(distinct "job_id") as "jobs"
  from "requests"
  where "site_id" = ? and "job_id" in (?)
  group by "source_language", "target_language"
  order by "jobs" desc, "source_language", "target_language"
  limit ?;

-- domain/jobs/work-rows.ts: countInto
select "job_id", count(*) as "count"
  from "requests"
  where "site_id" = ? and "job_id" in (?) and lower(replace(requests.target_language, '_', '-')) in (?)
  group by "job_id";

-- domain/jobs/work-rows.ts: hasContent
select "request_id"
  from "requests"
  where "site_id" = ? and "job_id" = ? and lower(replace(requests.target_language, '_', '-')) in (?) and ("file_id" = ? or "content_id" = ? or "translation_file_id" = ? or "translation_content_id" = ?)
  limit ?;
select "asset_id"
  from "support_assets"
  where "site_id" = ? and "job_id" = ? and "file_id" = ?
  limit ?;

-- domain/jobs/work-rows.ts: jobsAmong
select "job_id"
  from "jobs"
  where "site_id" = ? and "job_id" in (?) and ("jobs"."provider_id" in (?) and exists (select "requests"."request_id"
  from "requests"
  where "requests"."job_id" = "jobs"."job_id" and "requests"."site_id" = "jobs"."site_id" and lower(replace(requests.target_language, '_', '-')) in (?)));

-- domain/jobs/work-rows.ts: requestIdsInto
select "request_id"
  from "requests"
  where "site_id" = ? and "job_id" = ? and lower(replace(requests.target_language, '_', '-')) in (?);

-- domain/language/checks/check-setting-rows.ts: selectCheckSettings
select "check_settings"
  from "sites"
  where "site_id" = ?;

-- domain/language/checks/check-setting-rows.ts: updateCheckSettings
update "sites"
  set "check_settings" = ?
  where "site_id" = ?;

-- domain/language/memory/memory-import-rows.ts: countOpenImports
select count(*) as "count"
  from "memory_imports"
  where "site_id" = ? and "state" in (?, ?);

-- domain/language/memory/memory-import-rows.ts: insertMemoryImport
insert into "memory_imports" ("import_id", "site_id", "source_language", "target_language", "state", "error", "file_id", "blob_id", "size", "blob_key", "units_read", "units_added", "units_changed", "units_skipped", "units_total", "created_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/language/memory/memory-import-rows.ts: selectMemoryImport
select *
  from "memory_imports"
  where "site_id" = ? and "import_id" = ?;

-- domain/language/memory/memory-import-rows.ts: updateMemoryImport
update "memory_imports"
  set "import_id" = ?, "site_id" = ?, "source_language" = ?, "target_language" = ?, "state" = ?, "error" = ?, "file_id" = ?, "blob_id" = ?, "size" = ?, "blob_key" = ?, "units_read" = ?, "units_added" = ?, "units_changed" = ?, "units_skipped" = ?, "units_total" = ?, "created_at" = ?, "cause_id" = ?
  where "site_id" = ? and "import_id" = ? and "units_read" = ? and "state" in (?, ?);

-- domain/language/memory/memory-rows.ts: deletePostings
-- No site: postings are reached by their memory, which was found under its site.
delete
  from "memory_postings"
  where "memory_id" = ? and "piece" in (?) and "unit_id" = ?;

-- domain/language/memory/memory-rows.ts: firstUnder
-- No site: postings are reached by their memory, which was found under its site.
select "unit_id"
  from "memory_postings"
  where "memory_id" = ? and "piece" = ?
  order by "unit_id"
  limit ?;

-- domain/language/memory/memory-rows.ts: insertMemory
insert into "memories" ("site_id", "source_language", "target_language", "last_unit")
  values (?, ?, ?, ?)
  on conflict ("site_id", "source_language", "target_language") do nothing;

-- domain/language/memory/memory-rows.ts: insertPostings (SQLite)
-- No site: postings are reached by their memory, which was found under its site.
insert into memory_postings (piece, unit_id, signature, memory_id) with given as (values (?, ?, ?)) select given.*, ?
  from given
  where true
  on conflict do nothing;
-- domain/language/memory/memory-rows.ts: insertPostings (PostgreSQL)
-- No site: postings are reached by their memory, which was found under its site.
insert into memory_postings (piece, unit_id, signature, memory_id) with given as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]), cast(cast($3 as text) as bigint[]))) select given.*, cast($4 as bigint)
  from given
  where true
  on conflict do nothing;

-- domain/language/memory/memory-rows.ts: insertUnits (SQLite)
-- No site: units are reached by their memory, which was found under its site.
insert into memory_units (unit_id, source_hash, source, target, context, memory_id, origin, changed_at, version, changed_by) with given as (values (?, ?, ?, ?, ?)) select given.*, ?, ?, ?, ?, ?
  from given;
-- domain/language/memory/memory-rows.ts: insertUnits (PostgreSQL)
-- No site: units are reached by their memory, which was found under its site.
insert into memory_units (unit_id, source_hash, source, target, context, memory_id, origin, changed_at, version, changed_by) with given as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]))) select given.*, cast($6 as bigint), cast($7 as text), cast($8 as bigint), cast($9 as bigint), cast($10 as text)
  from given;

-- domain/language/memory/memory-rows.ts: selectByHash (SQLite)
-- No site: units are reached by their memory, which was found under its site.
with given(hash) as (values (?)) select unit_id, source_hash, target, context
  from (select distinct hash
  from given) as given cross
  join memory_units
  where memory_id = ? and source_hash = hash;
-- domain/language/memory/memory-rows.ts: selectByHash (PostgreSQL)
-- No site: units are reached by their memory, which was found under its site.
with given(hash) as (select *
  from unnest(cast(cast($1 as text) as text[]))) select unit_id, source_hash, target, context
  from (select distinct hash
  from given) as given cross
  join memory_units
  where memory_id = cast($2 as bigint) and source_hash = hash;

-- domain/language/memory/memory-rows.ts: selectMemory
select *
  from "memories"
  where "site_id" = ? and "source_language" = ? and "target_language" = ?;

-- domain/language/memory/memory-rows.ts: selectMemoryLocked (SQLite)
select *
  from "memories"
  where "site_id" = ? and "source_language" = ? and "target_language" = ?;
-- domain/language/memory/memory-rows.ts: selectMemoryLocked (PostgreSQL)
select *
  from "memories"
  where "site_id" = $1 and "source_language" = $2 and "target_language" = $3 for update;

-- domain/language/memory/memory-rows.ts: selectPostings (SQLite)
-- No site: postings are reached by their memory, which was found under its site.
with given(sought) as (values (cast(? as bigint))) select sought as piece, string_agg(unit_id || ':' || signature, ',') as units
  from (select distinct sought
  from given) as given cross
  join memory_postings
  where memory_id = ? and piece = sought
  group by sought;
-- domain/language/memory/memory-rows.ts: selectPostings (PostgreSQL)
-- No site: postings are reached by their memory, which was found under its site.
with given(sought) as (select *
  from unnest(cast(cast($1 as text) as bigint[]))) select sought as piece, string_agg(unit_id || ':' || signature, ',') as units
  from (select distinct sought
  from given) as given cross
  join memory_postings
  where memory_id = cast($2 as bigint) and piece = sought
  group by sought;

-- domain/language/memory/memory-rows.ts: selectSources (SQLite)
-- No site: units are reached by their memory, which was found under its site.
with given(sought) as (values (cast(? as bigint))) select unit_id, source
  from (select distinct sought
  from given) as given cross
  join memory_units
  where memory_id = ? and unit_id = sought;
-- domain/language/memory/memory-rows.ts: selectSources (PostgreSQL)
-- No site: units are reached by their memory, which was found under its site.
with given(sought) as (select *
  from unnest(cast(cast($1 as text) as bigint[]))) select unit_id, source
  from (select distinct sought
  from given) as given cross
  join memory_units
  where memory_id = cast($2 as bigint) and unit_id = sought;

-- domain/language/memory/memory-rows.ts: selectTargets (SQLite)
-- No site: units are reached by their memory, which was found under its site.
with given(sought) as (values (?)) select distinct sought as target
  from (select distinct sought
  from given) as given cross
  join memory_units
  where memory_id = ? and substr(target, 1, 32) = substr(sought, 1, 32) and length(target) = length(sought) and target = sought;
-- domain/language/memory/memory-rows.ts: selectTargets (PostgreSQL)
-- No site: units are reached by their memory, which was found under its site.
with given(sought) as (select *
  from unnest(cast(cast($1 as text) as text[]))) select distinct sought as target
  from (select distinct sought
  from given) as given cross
  join memory_units
  where memory_id = cast($2 as bigint) and substr(target, 1, 32) = substr(sought, 1, 32) and length(target) = length(sought) and target = sought;

-- domain/language/memory/memory-rows.ts: updateIndexedUnit
update "memories"
  set "indexed_unit" = ?
  where "site_id" = ? and "memory_id" = ?;

-- domain/language/memory/memory-rows.ts: updateLastUnit
update "memories"
  set "last_unit" = ?
  where "site_id" = ? and "memory_id" = ?;

-- domain/language/memory/memory-rows.ts: updateUnit
-- No site: units are reached by their memory, which was found under its site.
update "memory_units"
  set "memory_id" = ?, "unit_id" = ?, "source_hash" = ?, "source" = ?, "target" = ?, "context" = ?, "origin" = ?, "changed_at" = ?, "version" = "version" + ?, "changed_by" = ?
  where "memory_id" = ? and "unit_id" = ?;

-- domain/language/memory/unit-rows.ts: deleteUnit
-- No site: units are reached by their memory, which was found under its site.
delete
  from "memory_units"
  where "memory_id" = ? and "unit_id" = ?;

-- domain/language/memory/unit-rows.ts: lockMemoryById (SQLite)
select *
  from "memories"
  where "site_id" = ? and "memory_id" = ?;
-- domain/language/memory/unit-rows.ts: lockMemoryById (PostgreSQL)
select *
  from "memories"
  where "site_id" = $1 and "memory_id" = $2 for update;

-- domain/language/memory/unit-rows.ts: selectMemories
select *
  from "memories"
  where "site_id" = ? and "source_language" = ? and "target_language" = ?
  order by "memory_id";

-- domain/language/memory/unit-rows.ts: selectMemoryById
select *
  from "memories"
  where "site_id" = ? and "memory_id" = ?;

-- domain/language/memory/unit-rows.ts: selectSitesToIndex
-- No site: the sweep serves all sites.
select distinct "site_id"
  from "memories"
  where "indexed_unit" is not null;

-- domain/language/memory/unit-rows.ts: selectUnit
-- No site: units are reached by their memory, which was found under its site.
select *
  from "memory_units"
  where "memory_id" = ? and "unit_id" = ?;

-- domain/language/memory/unit-rows.ts: selectUnits
-- No site: units are reached by their memory, which was found under its site.
select *
  from "memory_units"
  where "memory_id" = ? and "unit_id" in (?);

-- domain/language/memory/unit-rows.ts: selectUnitsAfter
-- No site: units are reached by their memory, which was found under its site.
select *
  from "memory_units"
  where "memory_id" = ? and "unit_id" > ?
  order by "unit_id"
  limit ?;

-- domain/language/terms/term-rows.ts: insertTerms (SQLite)
insert into terms (term_id, definition, entries, languages, texts, sort_key, same_key, content_key, bytes, site_id, version, created_at, modified_at, cause_id) with given as (values (?, ?, ?, ?, ?, ?, ?, ?, ?)) select given.*, ?, ?, ?, ?, ?
  from given;
-- domain/language/terms/term-rows.ts: insertTerms (PostgreSQL)
insert into terms (term_id, definition, entries, languages, texts, sort_key, same_key, content_key, bytes, site_id, version, created_at, modified_at, cause_id) with given as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]), cast(cast($6 as text) as text[]), cast(cast($7 as text) as text[]), cast(cast($8 as text) as text[]), cast(cast($9 as text) as bigint[]))) select given.*, cast($10 as text), cast($11 as bigint), cast($12 as bigint), cast($13 as bigint), cast($14 as text)
  from given;

-- domain/language/terms/term-rows.ts: removeTerm
delete
  from "terms"
  where "site_id" = ? and "term_id" = ?;

-- domain/language/terms/term-rows.ts: selectKeys
select "term_id", "same_key", "content_key", "version", "bytes"
  from "terms"
  where "site_id" = ?
  order by "sort_key", "term_id";

-- domain/language/terms/term-rows.ts: selectStamp
select "terms_stamp"
  from "sites"
  where "site_id" = ?;

-- domain/language/terms/term-rows.ts: selectTerm
select *
  from "terms"
  where "site_id" = ? and "term_id" = ?;

-- domain/language/terms/term-rows.ts: selectTerms (SQLite)
select *
  from "terms"
  where "site_id" = ?
  order by "sort_key" asc, "term_id" asc
  limit ?;
select *
  from "terms"
  where "site_id" = ? and (instr("languages", ?) > 0 or instr("languages", ?) > 0) and instr("texts", ?) > 0 and ("sort_key" >= ? and ("sort_key" > ? or ("sort_key" = ? and "term_id" > ?)))
  order by "sort_key" asc, "term_id" asc
  limit ?;
-- domain/language/terms/term-rows.ts: selectTerms (PostgreSQL)
select *
  from "terms"
  where "site_id" = $1
  order by "sort_key" asc, "term_id" asc
  limit $2;
select *
  from "terms"
  where "site_id" = $1 and (strpos("languages", $2) > 0 or strpos("languages", $3) > 0) and strpos("texts", $4) > 0 and ("sort_key" >= $5 and ("sort_key" > $6 or ("sort_key" = $7 and "term_id" > $8)))
  order by "sort_key" asc, "term_id" asc
  limit $9;

-- domain/language/terms/term-rows.ts: sumTerms
select count(*) as "terms", sum("bytes") as "bytes"
  from "terms"
  where "site_id" = ?;

-- domain/language/terms/term-rows.ts: updateStamp
update "sites"
  set "terms_stamp" = ?
  where "site_id" = ?;

-- domain/language/terms/term-rows.ts: updateTerm
update "terms"
  set "entries" = ?, "version" = ?, "modified_at" = ?
  where "site_id" = ? and "term_id" = ?;

-- domain/listeners/attempt-rows.ts: endQueues (SQLite)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(task_id, fence, listener_id, job_id, position) as (values (cast(? as bigint), cast(? as bigint), ?, ?, cast(? as bigint))) delete
  from tasks
  where (task_id, fence) in (select given.task_id, given.fence
  from given
  where not ((select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id and d.position <> given.position
  order by d.position
  limit 1) is not null)) and attempts > 0
  returning task_id;
-- domain/listeners/attempt-rows.ts: endQueues (PostgreSQL)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(task_id, fence, listener_id, job_id, position) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]), cast(cast($3 as text) as text[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as bigint[]))) delete
  from tasks
  where (task_id, fence) in (select given.task_id, given.fence
  from given
  where not ((select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id and d.position <> given.position
  order by d.position
  limit 1) is not null)) and attempts > 0
  returning task_id;

-- domain/listeners/attempt-rows.ts: hastenQueues (SQLite)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (values (?, ?)) update deliveries
  set next_attempt_at = ?
  where position in ( select (select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1)
  from given);
-- domain/listeners/attempt-rows.ts: hastenQueues (PostgreSQL)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]))) update deliveries
  set next_attempt_at = cast($3 as bigint)
  where position in ( select (select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1)
  from given);

-- domain/listeners/attempt-rows.ts: insertAttempts (SQLite)
-- No site: attempts are reached by the position of a delivery, which was found under its site.
insert into attempts (position, job_id, number, attempted_at, duration_ms, response_code, error, call_headers, answer_head)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);
-- domain/listeners/attempt-rows.ts: insertAttempts (PostgreSQL)
-- No site: attempts are reached by the position of a delivery, which was found under its site.
insert into attempts (position, job_id, number, attempted_at, duration_ms, response_code, error, call_headers, answer_head) select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as bigint[]), cast(cast($4 as text) as bigint[]), cast(cast($5 as text) as bigint[]), cast(cast($6 as text) as bigint[]), cast(cast($7 as text) as text[]), cast(cast($8 as text) as text[]), cast(cast($9 as text) as text[]));

-- domain/listeners/attempt-rows.ts: selectNext (SQLite)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (values (?, ?)) select n.delivery_id, n.position, n.listener_id, n.job_id, n.event_type, n.body, n.uri, n.attempts, n.first_attempt_at, n.next_attempt_at, (select max(a.number)
  from attempts a
  where a.position = n.position) as last_number
  from given
  join deliveries n on n.position = (select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1);
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id) as (values (?)) select h.listener_id, h.job_uri, h.request_uri, h.auth_type, h.sealed_secret, h.sealed_old_secret, h.old_secret_until, h.disabled, h.failing_since, c.client_id as owner_id, c.disabled_at as owner_disabled_at
  from given cross
  join listeners h on h.listener_id = given.listener_id
  left join clients c on c.client_id = h.client_id and c.site_id = h.site_id;
-- domain/listeners/attempt-rows.ts: selectNext (PostgreSQL)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]))) select n.delivery_id, n.position, n.listener_id, n.job_id, n.event_type, n.body, n.uri, n.attempts, n.first_attempt_at, n.next_attempt_at, (select max(a.number)
  from attempts a
  where a.position = n.position) as last_number
  from given cross
  join lateral (select d.*
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1) n;
with given(listener_id) as (select *
  from unnest(cast(cast($1 as text) as text[]))) select h.listener_id, h.job_uri, h.request_uri, h.auth_type, h.sealed_secret, h.sealed_old_secret, h.old_secret_until, h.disabled, h.failing_since, c.client_id as owner_id, c.disabled_at as owner_disabled_at
  from given
  join listeners h on h.listener_id = given.listener_id
  left join clients c on c.client_id = h.client_id and c.site_id = h.site_id;

-- domain/listeners/attempt-rows.ts: selectWaiting (SQLite)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (values (?, ?)) select given.listener_id, given.job_id
  from given
  where (select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1) is not null;
-- domain/listeners/attempt-rows.ts: selectWaiting (PostgreSQL)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(listener_id, job_id) as (select *
  from unnest(cast(cast($1 as text) as text[]), cast(cast($2 as text) as text[]))) select given.listener_id, given.job_id
  from given
  where (select d.position
  from deliveries d
  where d.state <> 'DELIVERED' and d.state = 'PENDING' and d.listener_id = given.listener_id and d.job_id = given.job_id
  order by d.position
  limit 1) is not null;

-- domain/listeners/attempt-rows.ts: writeOutcomes (SQLite)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(position, state, at, next, code, error) as (values (cast(? as bigint), ?, cast(? as bigint), cast(? as bigint), cast(? as bigint), ?)) update deliveries
  set attempts = deliveries.attempts + 1, last_code = given.code, last_error = given.error, last_attempt_at = given.at, first_attempt_at = coalesce(deliveries.first_attempt_at, given.at), next_attempt_at = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.next end, state = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.state else deliveries.state end
  from given
  where deliveries.position = given.position and deliveries.position in (select position
  from given)
  returning deliveries.position;
-- domain/listeners/attempt-rows.ts: writeOutcomes (PostgreSQL)
-- No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
with given(position, state, at, next, code, error) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as bigint[]), cast(cast($4 as text) as bigint[]), cast(cast($5 as text) as bigint[]), cast(cast($6 as text) as text[]))) update deliveries
  set attempts = deliveries.attempts + 1, last_code = given.code, last_error = given.error, last_attempt_at = given.at, first_attempt_at = coalesce(deliveries.first_attempt_at, given.at), next_attempt_at = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.next end, state = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.state else deliveries.state end
  from given
  where deliveries.position = given.position
  returning deliveries.position;

-- domain/listeners/delivery-rows.ts: countWaiting
-- No site: a figure of the whole hub, for its operator.
select count(*) filter(where "state" = ?) as "pending", count(*) filter(where "state" = ?) as "parked"
  from "deliveries"
  where state <> 'DELIVERED';

-- domain/listeners/delivery-rows.ts: insertDeliveries
insert into "deliveries" ("delivery_id", "position", "listener_id", "site_id", "event_type", "job_id", "request_ids", "sequence", "uri", "body", "state", "created_at", "next_attempt_at", "attempts", "first_attempt_at", "cause_id", "last_code", "last_error", "last_attempt_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/listeners/delivery-rows.ts: removeDelivered
-- No site: upkeep over all sites.
delete
  from "deliveries"
  where "position" in (select "position"
  from "deliveries"
  where state = 'DELIVERED' and "created_at" < ?
  order by "created_at"
  limit ?);

-- domain/listeners/delivery-rows.ts: selectAttempts
-- No site: attempts are reached by the position of a delivery, which was found under its site.
select "position", "number", "attempted_at", "duration_ms", "response_code", "error"
  from "attempts"
  where "position" in (?)
  order by "position", "number";

-- domain/listeners/delivery-rows.ts: selectDeliveries
select *
  from "deliveries"
  where deliveries.site_id = ? and deliveries.listener_id = ? and deliveries.state <> 'DELIVERED' and deliveries.state in (?) and deliveries.delivery_id in (?) and deliveries.created_at >= ? and deliveries.created_at <= ? and ? and (created_at, position) < (?, ?)
  order by "created_at" desc, "position" desc
  limit ?;

-- domain/listeners/delivery-rows.ts: selectForgotten
-- No site: upkeep over all sites.
select distinct "deliveries"."listener_id", "deliveries"."job_id", "deliveries"."site_id"
  from "deliveries"
  inner join "listeners" on "listeners"."listener_id" = "deliveries"."listener_id"
  where deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING' and "listeners"."disabled" = ? and not exists (select "task_id"
  from "tasks"
  where "tasks"."key" = 'deliver:' || deliveries.listener_id || ':' || deliveries.job_id)
  limit ?;

-- domain/listeners/delivery-rows.ts: selectIds
select "delivery_id"
  from "deliveries"
  where deliveries.site_id = ? and deliveries.listener_id = ? and deliveries.delivery_id in (?);

-- domain/listeners/delivery-rows.ts: selectJobs
select "job_id"
  from "deliveries"
  where deliveries.site_id = ? and deliveries.listener_id = ? and deliveries.state <> 'DELIVERED' and deliveries.state in (?) and deliveries.delivery_id in (?) and deliveries.created_at >= ? and deliveries.created_at <= ? and ?
  group by "job_id"
  order by min("position");

-- domain/listeners/delivery-rows.ts: sendAgain
update "deliveries"
  set "state" = ?, "attempts" = ?, "first_attempt_at" = ?, "next_attempt_at" = ?
  where deliveries.site_id = ? and deliveries.listener_id = ? and deliveries.state <> 'DELIVERED' and deliveries.state in (?) and deliveries.delivery_id in (?) and deliveries.created_at >= ? and deliveries.created_at <= ? and ?;

-- domain/listeners/delivery-rows.ts: stopPending
update "deliveries"
  set "state" = ?, "next_attempt_at" = ?
  where "site_id" = ? and "listener_id" = ? and deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING';

-- domain/listeners/fact-rows.ts: clearFacts
-- No site: attempts are reached by the position of a delivery, which was found under its site.
update "attempts"
  set "call_headers" = ?, "answer_head" = ?
  where "position" >= ? and "position" < ? and (call_headers is not null or answer_head is not null);

-- domain/listeners/fact-rows.ts: clearOldFacts
-- No site: upkeep over all sites, from the newest attempt to the oldest.
update "attempts"
  set "call_headers" = ?, "answer_head" = ?
  where (position, number) in (select a.position, a.number
  from deliveries d
  join attempts a on a.position = d.position
  where d.state <> 'DELIVERED' and d.created_at < ? and a.attempted_at < ? and (a.call_headers is not null or a.answer_head is not null)
  limit ?);

-- domain/listeners/fact-rows.ts: sumFacts (SQLite)
-- No site: attempts are reached by the position of a delivery, which was found under its site.
select sum("bytes") as "bytes", min("position") as "lowest"
  from (select "position", coalesce(length(cast("call_headers" as blob)), 0) + coalesce(length(cast("answer_head" as blob)), 0) as "bytes"
  from "attempts"
  where "position" < ?
  order by "position" desc
  limit ?) as "newest";
-- domain/listeners/fact-rows.ts: sumFacts (PostgreSQL)
-- No site: attempts are reached by the position of a delivery, which was found under its site.
select sum("bytes") as "bytes", min("position") as "lowest"
  from (select "position", coalesce(octet_length("call_headers"), 0) + coalesce(octet_length("answer_head"), 0) as "bytes"
  from "attempts"
  where "position" < $1
  order by "position" desc
  limit $2) as "newest";

-- domain/listeners/listener-rows.ts: clearFailing
-- No site: by the random ids of listeners, from tasks that this node holds for several sites.
update "listeners"
  set "failing_since" = ?
  where "listener_id" in (?) and "failing_since" is not null;

-- domain/listeners/listener-rows.ts: countByProvider
select "provider_id", count(*) as "listeners"
  from "listeners"
  where "site_id" = ? and "client_id" = ? and "side" = ? and "deleted_at" is null and "listener_id" <> ?
  group by "provider_id";

-- domain/listeners/listener-rows.ts: disableListener
update "listeners"
  set "disabled" = ?, "disabled_reason" = ?, "modified_at" = ?
  where "site_id" = ? and "listener_id" = ? and "disabled" = ?;

-- domain/listeners/listener-rows.ts: hideListener
update "listeners"
  set "deleted_at" = ?, "type" = ?, "disabled" = ?, "disabled_reason" = ?, "failing_since" = ?, "sealed_secret" = ?, "sealed_old_secret" = ?, "old_secret_until" = ?
  where "site_id" = ? and "listener_id" = ?;

-- domain/listeners/listener-rows.ts: insertListener
insert into "listeners" ("listener_id", "site_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "acknowledges", "on_support_asset", "on_tm_update", "auth_type", "sealed_secret", "sealed_old_secret", "old_secret_until", "disabled", "disabled_reason", "failing_since", "created_at", "modified_at", "auth_name", "deleted_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  returning *;

-- domain/listeners/listener-rows.ts: lockForReplay (SQLite)
-- No site: by the random ids of listeners that the caller may see.
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update", "site_id", "disabled"
  from "listeners"
  where "listener_id" in (?) and "deleted_at" is null
  order by "listener_id";
-- domain/listeners/listener-rows.ts: lockForReplay (PostgreSQL)
-- No site: by the random ids of listeners that the caller may see.
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update", "site_id", "disabled"
  from "listeners"
  where "listener_id" in ($1) and "deleted_at" is null
  order by "listener_id" for update;

-- domain/listeners/listener-rows.ts: lockListener (SQLite)
select *
  from "listeners"
  where "site_id" = ? and "client_id" = ? and "side" = ? and "deleted_at" is null and "listener_id" = ?;
-- domain/listeners/listener-rows.ts: lockListener (PostgreSQL)
select *
  from "listeners"
  where "site_id" = $1 and "client_id" = $2 and "side" = $3 and "deleted_at" is null and "listener_id" = $4 for update;

-- domain/listeners/listener-rows.ts: lockListeners (SQLite)
-- No site: by the random ids of listeners, from tasks that this node holds for several sites.
select "listener_id"
  from "listeners"
  where "listener_id" in (?)
  order by "listener_id";
-- domain/listeners/listener-rows.ts: lockListeners (PostgreSQL)
-- No site: by the random ids of listeners, from tasks that this node holds for several sites.
select "listener_id"
  from "listeners"
  where "listener_id" in ($1)
  order by "listener_id" for no key update;

-- domain/listeners/listener-rows.ts: lockOfSite (SQLite)
select *
  from "listeners"
  where "site_id" = ? and "listener_id" = ? and "deleted_at" is null;
-- domain/listeners/listener-rows.ts: lockOfSite (PostgreSQL)
select *
  from "listeners"
  where "site_id" = $1 and "listener_id" = $2 and "deleted_at" is null for update;

-- domain/listeners/listener-rows.ts: noteFailing
update "listeners"
  set "failing_since" = ?
  where "site_id" = ? and "listener_id" = ? and "failing_since" is null;

-- domain/listeners/listener-rows.ts: removeDeleted
-- No site: upkeep over all sites.
delete
  from "listeners"
  where "deleted_at" <= ?;

-- domain/listeners/listener-rows.ts: removeListenersOf
delete
  from "listeners"
  where "site_id" = ? and "client_id" = ?;

-- domain/listeners/listener-rows.ts: selectAcknowledger (SQLite)
select "job_id", "request_codes"
  from "listeners"
  where side = 'connector' and "site_id" = ? and "client_id" = ? and "type" = ? and "disabled" = ? and "acknowledges" = ?;
-- domain/listeners/listener-rows.ts: selectAcknowledger (PostgreSQL)
select "job_id", "request_codes"
  from "listeners"
  where side = 'connector' and "site_id" = $1 and "client_id" = $2 and "type" = $3 and "disabled" = $4 and "acknowledges" = $5 for share;

-- domain/listeners/listener-rows.ts: selectListener
select *
  from "listeners"
  where "site_id" = ? and "client_id" = ? and "side" = ? and "deleted_at" is null and "listener_id" = ?;

-- domain/listeners/listener-rows.ts: selectListenerOfType
select *
  from "listeners"
  where "site_id" = ? and "client_id" = ? and "side" = ? and "deleted_at" is null and "type" = ?;

-- domain/listeners/listener-rows.ts: selectListeners
select *
  from "listeners"
  where "site_id" = ? and "client_id" = ? and "side" = ? and "deleted_at" is null and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "listener_id" > ?)))
  order by "created_at" asc, "listener_id" asc
  limit ?;

-- domain/listeners/listener-rows.ts: selectOwners
select "clients"."client_id", "clients"."scopes", "client_providers"."provider_id"
  from "clients"
  left join "client_providers" on "client_providers"."client_id" = "clients"."client_id"
  where "clients"."site_id" = ? and "clients"."client_id" in (?) and "clients"."disabled_at" is null;

-- domain/listeners/listener-rows.ts: selectRecipients (SQLite)
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update"
  from "listeners"
  where ((side = 'connector' and "site_id" = ? and "client_id" in (?)) or ((side = 'provider' and "site_id" = ?) and "provider_id" is null) or ((side = 'provider' and "site_id" = ?) and "provider_id" in (?))) and "disabled" = ?;
-- domain/listeners/listener-rows.ts: selectRecipients (PostgreSQL)
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update"
  from "listeners"
  where ((side = 'connector' and "site_id" = $1 and "client_id" in ($2)) or ((side = 'provider' and "site_id" = $3) and "provider_id" is null) or ((side = 'provider' and "site_id" = $4) and "provider_id" in ($5))) and "disabled" = $6 for key share;

-- domain/listeners/listener-rows.ts: selectTold
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update", "site_id", "disabled"
  from "listeners"
  where "side" = ? and "type" = ? and "disabled" = ? and "site_id" = ? and "listener_id" = ?
  order by "listener_id";
-- No site: an operator sees all sites.
select "listener_id", "client_id", "side", "type", "provider_id", "job_id", "job_uri", "job_codes", "request_uri", "request_codes", "on_support_asset", "on_tm_update", "site_id", "disabled"
  from "listeners"
  where "side" = ? and "type" = ? and "disabled" = ? and "listener_id" >= ?
  order by "listener_id";

-- domain/listeners/listener-rows.ts: updateListener
update "listeners"
  set "listener_id" = ?, "site_id" = ?, "client_id" = ?, "side" = ?, "type" = ?, "provider_id" = ?, "job_id" = ?, "job_uri" = ?, "job_codes" = ?, "request_uri" = ?, "request_codes" = ?, "acknowledges" = ?, "on_support_asset" = ?, "on_tm_update" = ?, "auth_type" = ?, "sealed_secret" = ?, "sealed_old_secret" = ?, "old_secret_until" = ?, "disabled" = ?, "disabled_reason" = ?, "failing_since" = ?, "created_at" = ?, "modified_at" = ?, "auth_name" = ?, "deleted_at" = ?
  where "site_id" = ? and "listener_id" = ?
  returning *;

-- domain/listeners/replay-rows.ts: appendDeliveries
update "deliveries"
  set "delivery_id" = '-' || delivery_id
  where "site_id" = ? and "position" in (?);
insert into "deliveries" ("delivery_id", "listener_id", "site_id", "event_type", "job_id", "uri", "body")
  values (?, ?, ?, ?, ?, ?, ?)
  returning "position";
-- No site: attempts are reached by the position of a delivery, which was found under its site.
update "attempts"
  set "position" = ?
  where "position" = ?;
delete
  from "deliveries"
  where "site_id" = ? and "position" in (?);

-- domain/listeners/replay-rows.ts: countFollowing
-- No site: an operator replays those of all sites.
select count(*) as count
  from deliveries
  where deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING' and deliveries.attempts = 0 and (deliveries.listener_id, deliveries.job_id) in (select listener_id, job_id
  from deliveries
  where site_id = ? and deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null)) and position not in (select position
  from deliveries
  where site_id = ? and deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null));
-- No site: an operator replays those of all sites.
select count(*) as count
  from deliveries
  where deliveries.state <> 'DELIVERED' and deliveries.state = 'PENDING' and deliveries.attempts = 0 and (deliveries.listener_id, deliveries.job_id) in (select listener_id, job_id
  from deliveries
  where delivery_id in (?)) and position not in (select position
  from deliveries
  where delivery_id in (?));

-- domain/listeners/replay-rows.ts: selectChosen
-- No site: an operator replays those of all sites.
select "listener_id", "site_id", count(*) as "count", min("position") as "first", max("position") as "last"
  from "deliveries"
  where site_id = ? and deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null) and position > ? and position <= ?
  group by "listener_id", "site_id";
-- No site: an operator replays those of all sites.
select "listener_id", "site_id", count(*) as "count", min("position") as "first", max("position") as "last"
  from "deliveries"
  where delivery_id in (?)
  group by "listener_id", "site_id";

-- domain/listeners/replay-rows.ts: selectKnown
select "delivery_id"
  from "deliveries"
  where "delivery_id" in (?) and "site_id" = ?;
-- No site: an operator sees all.
select "delivery_id"
  from "deliveries"
  where "delivery_id" in (?);

-- domain/listeners/replay-rows.ts: selectSequenced
select "position", "delivery_id", "job_id", "sequence", "state", "attempts"
  from "deliveries"
  where "site_id" = ? and "listener_id" = ? and "job_id" in (?) and "sequence" is not null;

-- domain/listeners/replay-rows.ts: selectWhole
select *
  from "deliveries"
  where "site_id" = ? and "position" in (?);

-- domain/listeners/site-delivery-rows.ts: countFailingDeliveries
-- No site: an operator sees all sites.
select count(*) as "many"
  from (select 1 as "one"
  from "deliveries"
  where deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null) and "site_id" = ?
  limit ?) as "failing";
-- No site: an operator sees all sites.
select count(*) as "many"
  from (select 1 as "one"
  from "deliveries"
  where deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null)
  limit ?) as "failing";

-- domain/listeners/site-delivery-rows.ts: countNewest
select state, tried, count(*) as count
  from ( select *
  from (select *
  from (select state, case when attempts > 0 then 1 else 0 end as tried
  from deliveries
  where listener_id = ? and site_id = ? and listener_id = ?
  order by created_at desc, position desc
  limit ?) as part) as parts
  limit ?) as counted
  group by state, tried;
-- No site: an operator sees all.
with recursive found(site_id) as ( select min(site_id)
  from deliveries union all select (select min(d.site_id)
  from deliveries d
  where d.site_id > found.site_id)
  from found
  where found.site_id is not null ) select site_id
  from found
  where site_id is not null;
select state, tried, count(*) as count
  from ( select *
  from (select *
  from (select state, case when attempts > 0 then 1 else 0 end as tried
  from deliveries
  where site_id = ? and state = ? and last_error = ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select state, case when attempts > 0 then 1 else 0 end as tried
  from deliveries
  where site_id = ? and state = ? and last_error = ?
  order by created_at desc, position desc
  limit ?) as part) as parts
  limit ?) as counted
  group by state, tried;

-- domain/listeners/site-delivery-rows.ts: selectCauses
-- No site: an operator sees all sites.
select "site_id", "listener_id", "last_code", "last_error", count(*) as "count", min("created_at") as "first_at", max("last_attempt_at") as "last_at", max("position") as "example"
  from "deliveries"
  where deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null) and "site_id" = ?
  group by "site_id", "listener_id", "last_code", "last_error"
  order by "count" desc, "listener_id"
  limit ?;
-- No site: an operator sees all sites.
select "site_id", "listener_id", "last_code", "last_error", count(*) as "count", min("created_at") as "first_at", max("last_attempt_at") as "last_at", max("position") as "example"
  from "deliveries"
  where deliveries.state <> 'DELIVERED' and (deliveries.state = 'PARKED' or deliveries.attempts > 0) and deliveries.listener_id not in (select listener_id
  from listeners
  where deleted_at is not null)
  group by "site_id", "listener_id", "last_code", "last_error"
  order by "count" desc, "listener_id"
  limit ?;

-- domain/listeners/site-delivery-rows.ts: selectDelivery
select *
  from "deliveries"
  where "delivery_id" = ? and "site_id" = ?;
-- No site: an operator reads any.
select *
  from "deliveries"
  where "delivery_id" = ?;

-- domain/listeners/site-delivery-rows.ts: selectExamples
-- No site: by positions that the caller has just been shown.
select "deliveries"."position", "deliveries"."delivery_id", "deliveries"."event_type", "deliveries"."uri", "listeners"."job_uri", "listeners"."request_uri", "listeners"."disabled"
  from "deliveries"
  inner join "listeners" on "listeners"."listener_id" = "deliveries"."listener_id"
  where "deliveries"."position" in (?);

-- domain/listeners/site-delivery-rows.ts: selectLastAttempts
-- No site: attempts are reached by the position of a delivery, which was found under its site.
select *
  from "attempts"
  where "position" = ?
  order by "number" desc
  limit ?;

-- domain/listeners/site-delivery-rows.ts: selectNewest
-- No site: an operator sees all sites.
select delivery_id, position, listener_id, site_id, event_type, job_id, request_ids, sequence, state, created_at, next_attempt_at, attempts, cause_id, last_code, last_error, last_attempt_at
  from deliveries
  where position in ( select position
  from (select *
  from (select created_at, position
  from deliveries
  where site_id = ? and state = ? and site_id = ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select created_at, position
  from deliveries
  where site_id = ? and state = ? and site_id = ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select created_at, position
  from deliveries
  where site_id = ? and state = ? and site_id = ?
  order by created_at desc, position desc
  limit ?) as part) as parts
  order by created_at desc, position desc
  limit ?);
-- No site: an operator sees all sites.
select delivery_id, position, listener_id, site_id, event_type, job_id, request_ids, sequence, state, created_at, next_attempt_at, attempts, cause_id, last_code, last_error, last_attempt_at
  from deliveries
  where position in ( select position
  from (select *
  from (select created_at, position
  from deliveries
  where listener_id = ? and site_id = ? and listener_id = ? and created_at >= ? and created_at <= ? and (created_at, position) < (?, ?)
  order by created_at desc, position desc
  limit ?) as part) as parts
  order by created_at desc, position desc
  limit ?);
-- No site: an operator sees all sites.
select delivery_id, position, listener_id, site_id, event_type, job_id, request_ids, sequence, state, created_at, next_attempt_at, attempts, cause_id, last_code, last_error, last_attempt_at
  from deliveries
  where position in ( select position
  from (select *
  from (select created_at, position
  from deliveries
  where job_id = ? and site_id = ? and state in (?) and job_id = ?
  order by created_at desc, position desc
  limit ?) as part) as parts
  order by created_at desc, position desc
  limit ?);
-- No site: an operator sees all sites.
with recursive found(site_id) as ( select min(site_id)
  from deliveries union all select (select min(d.site_id)
  from deliveries d
  where d.site_id > found.site_id)
  from found
  where found.site_id is not null ) select site_id
  from found
  where site_id is not null;
-- No site: an operator sees all sites.
select delivery_id, position, listener_id, site_id, event_type, job_id, request_ids, sequence, state, created_at, next_attempt_at, attempts, cause_id, last_code, last_error, last_attempt_at
  from deliveries
  where position in ( select position
  from (select *
  from (select created_at, position
  from deliveries
  where site_id = ? and last_code = ? and last_code is not null and last_code = ?
  order by created_at desc, position desc
  limit ?) as part) as parts
  order by created_at desc, position desc
  limit ?);

-- domain/listeners/statistics-rows.ts: countByHour
select d.listener_id, d.state, cast((d.created_at - ?) / 3600000 as bigint) as hour, case when d.attempts > 0 then 1 else 0 end as tried, count(*) as count
  from (select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part) as d
  group by 1, 2, 3, 4;

-- domain/listeners/statistics-rows.ts: countDurations
select d.listener_id, a.duration_ms as ms, count(*) as count
  from (select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part) as d
  join attempts a on a.position = d.position
  group by d.listener_id, a.duration_ms
  order by d.listener_id, a.duration_ms;

-- domain/listeners/statistics-rows.ts: countRetried
select d.listener_id, count(distinct d.position) as count
  from (select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part) as d
  join attempts a on a.position = d.position
  where d.state = 'DELIVERED' and (a.response_code is null or a.response_code >= 300)
  group by d.listener_id;

-- domain/listeners/statistics-rows.ts: selectLastFailures
select listener_id, attempted_at, response_code, error
  from ( select d.listener_id, a.attempted_at, a.response_code, a.error, row_number() over (partition by d.listener_id
  order by a.attempted_at desc) as place
  from (select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part union all select *
  from (select listener_id, position, created_at, state, attempts
  from deliveries
  where listener_id = ? and site_id = ? and created_at >= ?
  order by created_at desc, position desc
  limit ?) as part) as d
  join attempts a on a.position = d.position
  where (a.response_code is null or a.response_code >= 300)) as failed
  where place = 1;

-- domain/listeners/statistics-rows.ts: selectSomeOfSite
select *
  from "listeners"
  where "site_id" = ? and "listener_id" in (?) and "deleted_at" is null;

-- domain/listeners/updates/update-rows.ts: acknowledge
update "status_updates"
  set "acknowledged_at" = ?
  where ("site_id" = ? and "update_id" = ? and "client_id" = ?) and "acknowledged_at" is null;
select *
  from "status_updates"
  where ("site_id" = ? and "update_id" = ? and "client_id" = ?);

-- domain/listeners/updates/update-rows.ts: acknowledgeJob
update "status_updates"
  set "acknowledged_at" = ?
  where "site_id" = ? and "job_id" = ? and "acknowledged_at" is null;

-- domain/listeners/updates/update-rows.ts: countOpen
select count(*) as "open"
  from "status_updates"
  where "site_id" = ? and "acknowledged_at" is null and "client_id" in (select "clients"."client_id"
  from "clients"
  where "clients"."site_id" = ?);
select count(*) as "open"
  from "status_updates"
  where "site_id" = ? and "acknowledged_at" is null;

-- domain/listeners/updates/update-rows.ts: insertUpdate
insert into "status_updates" ("update_id", "site_id", "client_id", "sequence", "job_id", "provider_id", "request_ids", "status", "has_error", "error_message", "updated_at", "acknowledged_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/listeners/updates/update-rows.ts: removeOld
-- No site: upkeep over all sites.
delete
  from "status_updates"
  where "acknowledged_at" is not null and "acknowledged_at" < ?;

-- domain/listeners/updates/update-rows.ts: selectUpdates
select *
  from "status_updates"
  where "site_id" = ? and "client_id" = ? and "sequence" > ?
  order by "sequence"
  limit ?;
select *
  from "status_updates"
  where "site_id" = ? and ("client_id", "sequence") > (?, ?) and "job_id" in (?) and "status" in (?) and "acknowledged_at" is not null
  order by "client_id", "sequence"
  limit ?;
select *
  from "status_updates"
  where "site_id" = ? and ("client_id", "sequence") > (?, ?) and "acknowledged_at" is null
  order by "client_id", "sequence"
  limit ?;

-- domain/listeners/updates/update-rows.ts: selectUpdatesOf
select *
  from "status_updates"
  where "site_id" = ? and "client_id" = ? and "sequence" > ? and "job_id" = ? and "updated_at" >= ? and "updated_at" <= ?
  order by "sequence"
  limit ?;

-- domain/listeners/updates/update-rows.ts: takeSequence
insert into "update_counters" ("site_id", "client_id", "last")
  values (?, ?, ?)
  on conflict ("site_id", "client_id") do update
  set "last" = "update_counters"."last" + ?
  returning "last";

-- domain/operations/backups/backup-rows.ts: forgetLeases
-- No site: a restore and a move cover all sites.
update "tasks"
  set "leased_by" = ?, "lease_until" = ?
  where "lease_until" is not null;

-- domain/operations/backups/backup-rows.ts: forgetNodes
-- No site: the hub's own table.
delete
  from "nodes";

-- domain/operations/findings/finding-name-rows.ts: withNames
-- No site: the ids are those of findings that the caller sees.
select "job_id" as "id", "job_name" as "name"
  from "jobs"
  where "job_id" in (?);
-- No site: the ids are those of findings that the caller sees.
select "provider_id" as "id", "name"
  from "providers"
  where "provider_id" in (?);
-- No site: the ids are those of findings that the caller sees.
select "listener_id" as "id", coalesce("job_uri", "request_uri") as "name"
  from "listeners"
  where "listener_id" in (?);

-- domain/operations/findings/finding-rows.ts: endingSecrets (SQLite)
select "clients"."client_id", "clients"."site_id", "client_secrets"."secret_id", "client_secrets"."expires_at"
  from "client_secrets"
  inner join "clients" on "clients"."client_id" = "client_secrets"."client_id"
  where client_secrets.expires_at is not null and "client_secrets"."expires_at" > ? and "client_secrets"."expires_at" <= ? and "clients"."disabled_at" is null and +"clients"."site_id" = ? and "client_secrets"."secret_id" = ?
  order by "client_secrets"."expires_at", "client_secrets"."client_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "clients"."client_id", "clients"."site_id", "client_secrets"."secret_id", "client_secrets"."expires_at"
  from "client_secrets"
  inner join "clients" on "clients"."client_id" = "client_secrets"."client_id"
  where client_secrets.expires_at is not null and "client_secrets"."expires_at" > ? and "client_secrets"."expires_at" <= ? and "clients"."disabled_at" is null and "client_secrets"."secret_id" = ?
  order by "client_secrets"."expires_at", "client_secrets"."client_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: endingSecrets (PostgreSQL)
select "clients"."client_id", "clients"."site_id", "client_secrets"."secret_id", "client_secrets"."expires_at"
  from "client_secrets"
  inner join "clients" on "clients"."client_id" = "client_secrets"."client_id"
  where client_secrets.expires_at is not null and "client_secrets"."expires_at" > $1 and "client_secrets"."expires_at" <= $2 and "clients"."disabled_at" is null and "clients"."site_id" = $3 and "client_secrets"."secret_id" = $4
  order by "client_secrets"."expires_at", "client_secrets"."client_id"
  limit $5;
-- No site: without one, an operator sees all sites.
select "clients"."client_id", "clients"."site_id", "client_secrets"."secret_id", "client_secrets"."expires_at"
  from "client_secrets"
  inner join "clients" on "clients"."client_id" = "client_secrets"."client_id"
  where client_secrets.expires_at is not null and "client_secrets"."expires_at" > $1 and "client_secrets"."expires_at" <= $2 and "clients"."disabled_at" is null and "client_secrets"."secret_id" = $3
  order by "client_secrets"."expires_at", "client_secrets"."client_id"
  limit $4;

-- domain/operations/findings/finding-rows.ts: failingListeners (SQLite)
select "listener_id", "site_id", "client_id", "failing_since", "disabled_reason"
  from "listeners"
  where failing_since is not null and "failing_since" <= ? and "disabled" = ? and +"site_id" = ? and "listener_id" = ?
  order by "failing_since", "site_id", "listener_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id", "failing_since", "disabled_reason"
  from "listeners"
  where failing_since is not null and "failing_since" <= ? and "disabled" = ? and "listener_id" = ?
  order by "failing_since", "site_id", "listener_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: failingListeners (PostgreSQL)
select "listener_id", "site_id", "client_id", "failing_since", "disabled_reason"
  from "listeners"
  where failing_since is not null and "failing_since" <= $1 and "disabled" = $2 and "site_id" = $3 and "listener_id" = $4
  order by "failing_since", "site_id", "listener_id"
  limit $5;
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id", "failing_since", "disabled_reason"
  from "listeners"
  where failing_since is not null and "failing_since" <= $1 and "disabled" = $2 and "listener_id" = $3
  order by "failing_since", "site_id", "listener_id"
  limit $4;

-- domain/operations/findings/finding-rows.ts: failingTasks (SQLite)
select "task_id", "site_id", "key", "payload", "created_at", "due_at"
  from "tasks"
  where parked = 0 and last_error is not null and "name" = ? and +"site_id" = ?
  order by "task_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "task_id", "site_id", "key", "payload", "created_at", "due_at"
  from "tasks"
  where parked = 0 and last_error is not null and "name" = ?
  order by "task_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: failingTasks (PostgreSQL)
select "task_id", "site_id", "key", "payload", "created_at", "due_at"
  from "tasks"
  where parked = 0 and last_error is not null and "name" = $1 and "site_id" = $2
  order by "task_id"
  limit $3;
-- No site: without one, an operator sees all sites.
select "task_id", "site_id", "key", "payload", "created_at", "due_at"
  from "tasks"
  where parked = 0 and last_error is not null and "name" = $1
  order by "task_id"
  limit $2;

-- domain/operations/findings/finding-rows.ts: listenersWithParked (SQLite)
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id"
  from "listeners"
  where "disabled" = ? and exists (select "position"
  from "deliveries"
  where "deliveries"."listener_id" = "listeners"."listener_id" and deliveries.state = 'PARKED') and +"site_id" = ? and "listener_id" = ?
  order by "listener_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id"
  from "listeners"
  where "disabled" = ? and exists (select "position"
  from "deliveries"
  where "deliveries"."listener_id" = "listeners"."listener_id" and deliveries.state = 'PARKED') and "listener_id" = ?
  order by "listener_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: listenersWithParked (PostgreSQL)
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id"
  from "listeners"
  where "disabled" = $1 and exists (select "position"
  from "deliveries"
  where "deliveries"."listener_id" = "listeners"."listener_id" and deliveries.state = 'PARKED') and "site_id" = $2 and "listener_id" = $3
  order by "listener_id"
  limit $4;
-- No site: without one, an operator sees all sites.
select "listener_id", "site_id", "client_id"
  from "listeners"
  where "disabled" = $1 and exists (select "position"
  from "deliveries"
  where "deliveries"."listener_id" = "listeners"."listener_id" and deliveries.state = 'PARKED') and "listener_id" = $2
  order by "listener_id"
  limit $3;

-- domain/operations/findings/finding-rows.ts: measureParked (SQLite)
select count(*) as "count", min("created_at") as "since"
  from (select "created_at"
  from "deliveries"
  where +"site_id" = ? and "listener_id" = ? and state = 'PARKED'
  order by "created_at"
  limit ?) as "parked";
-- domain/operations/findings/finding-rows.ts: measureParked (PostgreSQL)
select count(*) as "count", min("created_at") as "since"
  from (select "created_at"
  from "deliveries"
  where "site_id" = $1 and "listener_id" = $2 and state = 'PARKED'
  order by "created_at"
  limit $3) as "parked";

-- domain/operations/findings/finding-rows.ts: overdueJobs (SQLite)
select "job_id", "site_id", "due_at", "activity_at", "status"
  from "jobs"
  where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "due_at" <= ? and "activity_at" <= ? and +"site_id" = ? and "job_id" = ?
  order by "due_at", "site_id", "job_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "job_id", "site_id", "due_at", "activity_at", "status"
  from "jobs"
  where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "due_at" <= ? and "activity_at" <= ? and "job_id" = ?
  order by "due_at", "site_id", "job_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: overdueJobs (PostgreSQL)
select "job_id", "site_id", "due_at", "activity_at", "status"
  from "jobs"
  where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "due_at" <= $1 and "activity_at" <= $2 and "site_id" = $3 and "job_id" = $4
  order by "due_at", "site_id", "job_id"
  limit $5;
-- No site: without one, an operator sees all sites.
select "job_id", "site_id", "due_at", "activity_at", "status"
  from "jobs"
  where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "due_at" <= $1 and "activity_at" <= $2 and "job_id" = $3
  order by "due_at", "site_id", "job_id"
  limit $4;

-- domain/operations/findings/finding-rows.ts: parkedTasks (SQLite)
select "task_id", "site_id", "name", "attempts", "last_error", "due_at"
  from "tasks"
  where parked = 1 and +"site_id" = ? and "task_id" = ?
  order by "due_at", "task_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "task_id", "site_id", "name", "attempts", "last_error", "due_at"
  from "tasks"
  where parked = 1 and "task_id" = ?
  order by "due_at", "task_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: parkedTasks (PostgreSQL)
select "task_id", "site_id", "name", "attempts", "last_error", "due_at"
  from "tasks"
  where parked = 1 and "site_id" = $1 and "task_id" = $2
  order by "due_at", "task_id"
  limit $3;
-- No site: without one, an operator sees all sites.
select "task_id", "site_id", "name", "attempts", "last_error", "due_at"
  from "tasks"
  where parked = 1 and "task_id" = $1
  order by "due_at", "task_id"
  limit $2;

-- domain/operations/findings/finding-rows.ts: sendingJobs (SQLite)
select "job_id", "site_id", "submitted_at"
  from "jobs"
  where archived = 0 and status = 'SENDING' and "submitted_at" <= ? and +"site_id" = ? and "job_id" = ?
  order by "submitted_at", "site_id", "job_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "job_id", "site_id", "submitted_at"
  from "jobs"
  where archived = 0 and status = 'SENDING' and "submitted_at" <= ? and "job_id" = ?
  order by "submitted_at", "site_id", "job_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: sendingJobs (PostgreSQL)
select "job_id", "site_id", "submitted_at"
  from "jobs"
  where archived = 0 and status = 'SENDING' and "submitted_at" <= $1 and "site_id" = $2 and "job_id" = $3
  order by "submitted_at", "site_id", "job_id"
  limit $4;
-- No site: without one, an operator sees all sites.
select "job_id", "site_id", "submitted_at"
  from "jobs"
  where archived = 0 and status = 'SENDING' and "submitted_at" <= $1 and "job_id" = $2
  order by "submitted_at", "site_id", "job_id"
  limit $3;

-- domain/operations/findings/finding-rows.ts: unacknowledgedJobs (SQLite)
-- No site: without one, an operator sees all sites.
select "jobs"."job_id", "jobs"."site_id", "jobs"."submitted_at", "jobs"."provider_id"
  from "jobs"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id"
  where jobs.archived = 0 and jobs.status = 'SENT_TO_PROVIDER' and jobs.acknowledged = 0 and "jobs"."submitted_at" <= ? and "providers"."type_id" in (?) and +"jobs"."site_id" = ? and "jobs"."job_id" = ?
  order by "jobs"."submitted_at", "jobs"."site_id", "jobs"."job_id"
  limit ?;
-- No site: without one, an operator sees all sites.
select "jobs"."job_id", "jobs"."site_id", "jobs"."submitted_at", "jobs"."provider_id"
  from "jobs"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id"
  where jobs.archived = 0 and jobs.status = 'SENT_TO_PROVIDER' and jobs.acknowledged = 0 and "jobs"."submitted_at" <= ? and "providers"."type_id" in (?) and "jobs"."job_id" = ?
  order by "jobs"."submitted_at", "jobs"."site_id", "jobs"."job_id"
  limit ?;
-- domain/operations/findings/finding-rows.ts: unacknowledgedJobs (PostgreSQL)
-- No site: without one, an operator sees all sites.
select "jobs"."job_id", "jobs"."site_id", "jobs"."submitted_at", "jobs"."provider_id"
  from "jobs"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id"
  where jobs.archived = 0 and jobs.status = 'SENT_TO_PROVIDER' and jobs.acknowledged = 0 and "jobs"."submitted_at" <= $1 and "providers"."type_id" in ($2) and "jobs"."site_id" = $3 and "jobs"."job_id" = $4
  order by "jobs"."submitted_at", "jobs"."site_id", "jobs"."job_id"
  limit $5;
-- No site: without one, an operator sees all sites.
select "jobs"."job_id", "jobs"."site_id", "jobs"."submitted_at", "jobs"."provider_id"
  from "jobs"
  inner join "providers" on "providers"."provider_id" = "jobs"."provider_id"
  where jobs.archived = 0 and jobs.status = 'SENT_TO_PROVIDER' and jobs.acknowledged = 0 and "jobs"."submitted_at" <= $1 and "providers"."type_id" in ($2) and "jobs"."job_id" = $3
  order by "jobs"."submitted_at", "jobs"."site_id", "jobs"."job_id"
  limit $4;

-- domain/operations/findings/quota-rows.ts: ownQuotas
select "site_id", "quotas"
  from "clients"
  where "quotas" is not null and "site_id" = ?;
-- No site: without one, an operator sees all sites.
select "site_id", "quotas"
  from "clients"
  where "quotas" is not null;

-- domain/operations/findings/quota-rows.ts: selectOpenUpdates
-- No site: without one, an operator sees all sites.
select site_id, count(*) as used
  from status_updates
  where acknowledged_at is null and site_id = ? and client_id in (select client_id
  from clients)
  group by site_id
  having count(*) >= ?
  order by site_id;
-- No site: without one, an operator sees all sites.
select site_id, count(*) as used
  from status_updates
  where acknowledged_at is null and 1 = 1 and client_id in (select client_id
  from clients)
  group by site_id
  having count(*) >= ?
  order by site_id;

-- domain/operations/findings/quota-rows.ts: selectUse
select site_id, sum(bytes) as used
  from site_bytes
  where site_id = ?
  group by site_id
  having sum(bytes) >= ?
  order by site_id;
-- No site: without one, an operator sees all sites.
select site_id, sum(bytes) as used
  from site_bytes
  where 1 = 1
  group by site_id
  having sum(bytes) >= ?
  order by site_id;

-- domain/operations/integrity/check-chain-rows.ts: strayRow
-- No site: `dragoman check` covers all sites.
select "numbers"."number"
  from "chains"
  inner join (select "call_id" as "number"
  from "calls") as "numbers" on true
  where "chains"."name" = ? and ("numbers"."number" > "chains"."last" or "numbers"."number" <= "chains"."anchor")
  limit ?;
-- No site: `dragoman check` covers all sites.
select "numbers"."number"
  from "chains"
  inner join (select "audit_id" as "number"
  from "audit") as "numbers" on true
  where "chains"."name" = ? and ("numbers"."number" > "chains"."last" or "numbers"."number" <= "chains"."anchor")
  limit ?;

-- domain/operations/integrity/check-file-rows.ts: blobsToBeRemoved
-- No site: `dragoman check` covers all sites.
select "payload"
  from "tasks"
  where "name" = ?;

-- domain/operations/integrity/check-file-rows.ts: filesCountedWrong
-- No site: `dragoman check` covers all sites.
select "files"."file_id", "files"."site_id", "files"."state", "files"."holds_bytes"
  from "files"
  where (("files"."holds_bytes" = ? and ("files"."state" = ? or exists (select "uploads"."upload_id"
  from "uploads"
  where "uploads"."file_id" = "files"."file_id" and "uploads"."received" > ?))) or ("files"."holds_bytes" = ? and not ("files"."state" = ? or exists (select "uploads"."upload_id"
  from "uploads"
  where "uploads"."file_id" = "files"."file_id" and "uploads"."received" > ?))))
  limit ?;

-- domain/operations/integrity/check-file-rows.ts: isStillStored
-- No site: `dragoman check` covers all sites.
select "blob_id"
  from "files"
  where "state" = ? and "file_id" = ?;

-- domain/operations/integrity/check-file-rows.ts: openUpload
-- No site: `dragoman check` covers all sites.
select "uploads"."upload_id", "uploads"."site_id", "uploads"."file_id", "uploads"."blob_id", "uploads"."received", "uploads"."writer_until", "uploads"."sealed"
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "files"."state" = ? and "uploads"."received" > ? and "uploads"."upload_id" = ?;

-- domain/operations/integrity/check-file-rows.ts: openUploads
-- No site: `dragoman check` covers all sites.
select "uploads"."upload_id", "uploads"."site_id", "uploads"."file_id", "uploads"."blob_id", "uploads"."received", "uploads"."writer_until", "uploads"."sealed"
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "files"."state" = ? and "uploads"."received" > ?;

-- domain/operations/integrity/check-file-rows.ts: sitesCountedWrong
select site_id, sum(counted) as counted, sum(held) as held
  from ( select site_id, bytes as counted, 0 as held
  from site_bytes union all select site_id, 0, size
  from files
  where size is not null union all select site_id, 0, bytes
  from source_contents union all select site_id, 0, bytes
  from drafts union all select site_id, 0, octet_length(prices)
  from price_lists union all select site_id, 0, octet_length(extended_metadata)
  from jobs
  where extended_metadata is not null union all select site_id, 0, octet_length(extended_metadata)
  from requests
  where extended_metadata is not null union all select site_id, 0, octet_length(extended_metadata)
  from support_assets
  where extended_metadata is not null union all select site_id, 0, octet_length(extended_metadata)
  from tm_updates
  where extended_metadata is not null ) as bytes
  group by site_id
  having sum(counted) <> sum(held)
  limit 1000;

-- domain/operations/integrity/check-file-rows.ts: uploadsWithoutTask
-- No site: `dragoman check` covers all sites.
select "uploads"."upload_id", "uploads"."site_id", "uploads"."file_id", "uploads"."blob_id", "uploads"."received", "uploads"."writer_until", "uploads"."sealed"
  from "uploads"
  inner join "files" on "files"."file_id" = "uploads"."file_id"
  where "files"."state" = ? and "uploads"."received" > ? and "uploads"."received" = "uploads"."length" and "uploads"."deferred" = ? and "uploads"."concat" is null and not exists (select "task_id"
  from "tasks"
  where "tasks"."key" = 'finish-upload:' || uploads.upload_id)
  limit ?;

-- domain/operations/integrity/check-rows.ts: jobsOfMore
-- No site: `dragoman check` covers all sites.
select site_id, job_id, count(*) as count
  from requests
  group by site_id, job_id
  having count(*) > ?
  limit 1000;

-- domain/operations/integrity/check-rows.ts: jobsOutside
-- No site: `dragoman check` covers all sites.
select "site_id", "job_id", "status", "archive_status"
  from "jobs"
  where ("status" not in (?) or "archive_status" not in (?))
  limit ?;

-- domain/operations/integrity/check-rows.ts: jobsWithWrongFlag
-- No site: `dragoman check` covers all sites.
select "site_id", "job_id", "archived", "archive_status"
  from "jobs"
  where (("archived" = ? and "archive_status" not in (?, ?)) or ("archived" <> ? and "archive_status" in (?, ?)))
  limit ?;

-- domain/operations/integrity/check-rows.ts: jobsWithoutTask
-- No site: `dragoman check` covers all sites.
select "site_id", "job_id", "archive_status"
  from "jobs"
  where "archive_status" in (?, ?) and not exists (select "task_id"
  from "tasks"
  where "tasks"."key" = case when jobs.archive_status = 'ARCHIVING' then 'archive:' else 'unarchive:' end || jobs.job_id)
  limit ?;

-- domain/operations/integrity/check-rows.ts: labelledJobs
-- No site: `dragoman check` covers all sites.
select "some"."site_id", "some"."job_id", "some"."labels", "job_labels"."name", "job_labels"."value"
  from (select "site_id", "job_id", "labels"
  from "jobs"
  where "job_id" > ?
  order by "job_id"
  limit ?) as "some"
  left join "job_labels" on "job_labels"."job_id" = "some"."job_id"
  order by "some"."job_id";

-- domain/operations/integrity/check-rows.ts: lostReferences
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.client_id as id, nullif(s.site_id, '') as "to"
  from clients s
  where nullif(s.site_id, '') is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.provider_id as id, s.site_id as "to"
  from providers s
  where s.site_id is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.job_id as id, s.site_id as "to"
  from jobs s
  where s.site_id is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.request_id as id, s.job_id as "to"
  from requests s
  where s.job_id is not null and not exists (select 1
  from jobs
  where jobs.job_id = s.job_id and jobs.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.file_id as id, s.job_id as "to"
  from files s
  where s.job_id is not null and not exists (select 1
  from jobs
  where jobs.job_id = s.job_id and jobs.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.content_id as id, s.job_id as "to"
  from source_contents s
  where s.job_id is not null and not exists (select 1
  from jobs
  where jobs.job_id = s.job_id and jobs.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.request_id as id, s.file_id as "to"
  from requests s
  where s.file_id is not null and not exists (select 1
  from files
  where files.file_id = s.file_id and files.job_id = s.job_id and files.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.request_id as id, s.content_id as "to"
  from requests s
  where s.content_id is not null and not exists (select 1
  from source_contents c
  where c.content_id = s.content_id and c.job_id = s.job_id and c.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.asset_id as id, s.file_id as "to"
  from support_assets s
  where s.file_id is not null and not exists (select 1
  from files
  where files.file_id = s.file_id and files.job_id = s.job_id and files.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.tmupdate_id as id, s.file_id as "to"
  from tm_updates s
  where s.file_id is not null and not exists (select 1
  from files
  where files.file_id = s.file_id and files.job_id = s.job_id and files.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.name as id, s.job_id as "to"
  from job_labels s
  where s.job_id is not null and not exists (select 1
  from jobs
  where jobs.job_id = s.job_id and jobs.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.move_id as id, s.job_id as "to"
  from moves s
  where s.job_id is not null and not exists (select 1
  from jobs
  where jobs.job_id = s.job_id and jobs.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.code_id as id, s.site_id as "to"
  from analysis_codes s
  where s.site_id is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.term_id as id, s.site_id as "to"
  from terms s
  where s.site_id is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.price_list_id as id, s.site_id as "to"
  from price_lists s
  where s.site_id is not null and not exists (select 1
  from sites
  where sites.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.job_id as id, s.code_id as "to"
  from job_codes s
  where s.code_id is not null and not exists (select 1
  from analysis_codes c
  where c.code_id = s.code_id and c.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", s.job_id as id, s.provider_id as "to"
  from jobs s
  where s.provider_id is not null and not exists (select 1
  from providers p
  where p.provider_id = s.provider_id and p.site_id = s.site_id)
  limit 1000;
-- No site: `dragoman check` covers all sites.
select s.site_id as "siteId", c.client_id as id, c.provider_id as "to"
  from client_providers c
  left join clients s on s.client_id = c.client_id
  where c.provider_id is not null and not exists (select 1
  from providers p
  where p.provider_id = c.provider_id and p.site_id = s.site_id)
  limit 1000;

-- domain/operations/integrity/check-rows.ts: overdueLeases
-- No site: `dragoman check` covers all sites.
select "site_id", "task_id", "name", "leased_by"
  from "tasks"
  where "parked" = ? and "lease_until" < ?
  order by "task_id"
  limit ?;

-- domain/operations/integrity/check-rows.ts: ownQuotas
-- No site: `dragoman check` covers all sites.
select "site_id", "quotas"
  from "clients"
  where "quotas" is not null;

-- domain/operations/integrity/check-rows.ts: parkedTasks
-- No site: `dragoman check` covers all sites.
select "site_id", "task_id", "name", "attempts", "last_error"
  from "tasks"
  where "parked" = ?
  order by "task_id"
  limit ?;

-- domain/operations/integrity/check-rows.ts: requestsOutside
-- No site: `dragoman check` covers all sites.
select "site_id", "request_id", "status"
  from "requests"
  where "status" not in (?)
  limit ?;

-- domain/operations/integrity/check-seal-rows.ts: contentKeys
-- No site: the check covers all sites.
select "key_of", "site_id", "job_id"
  from "content_keys"
  where "key_of" > ?
  order by "key_of"
  limit ?;

-- domain/operations/integrity/check-seal-rows.ts: hasJob
select "job_id"
  from "jobs"
  where "site_id" = ? and "job_id" = ?;

-- domain/operations/integrity/check-seal-rows.ts: sealedContents
-- No site: the check covers all sites.
select "content_id", "site_id", "job_id", "fields"
  from "source_contents"
  where "content_id" > ? and substr(fields, 1, ?) = ?
  order by "content_id"
  limit ?;

-- domain/operations/integrity/check-setting-rows.ts: allPriceLists
-- No site: `dragoman check` covers all sites.
select *
  from "price_lists"
  where "price_list_id" > ?
  order by "price_list_id"
  limit ?;

-- domain/operations/integrity/check-setting-rows.ts: codedJobs
-- No site: `dragoman check` covers all sites.
select "some"."site_id", "some"."job_id", "some"."analysis_codes", "job_codes"."level", "job_codes"."code_key"
  from (select "site_id", "job_id", "analysis_codes"
  from "jobs"
  where "job_id" > ?
  order by "job_id"
  limit ?) as "some"
  left join "job_codes" on "job_codes"."job_id" = "some"."job_id"
  order by "some"."job_id";

-- domain/operations/master-key/sealed-value-rows.ts: countNodesAlone (SQLite)
-- No site: the hub's own table.
select count(*) as "many"
  from "nodes"
  where "seen_at" >= ?;
-- domain/operations/master-key/sealed-value-rows.ts: countNodesAlone (PostgreSQL)
lock table nodes in share row exclusive mode;
-- No site: the hub's own table.
select count(*) as "many"
  from "nodes"
  where "seen_at" >= $1;

-- domain/operations/master-key/sealed-value-rows.ts: writeErased
-- No site: the key belongs to the hub.
update "audit"
  set "erased" = ?
  where "audit_id" = ?;

-- domain/operations/master-key/sealed-value-rows.ts: writeHashes (SQLite)
-- No site: the key belongs to the hub.
with given(number, hash) as (values (cast(? as bigint), ?)) update calls
  set hash = given.hash
  from given
  where calls.call_id = given.number and calls.call_id in (select number
  from given);
-- No site: the key belongs to the hub.
with given(number, hash) as (values (cast(? as bigint), ?)) update audit
  set hash = given.hash
  from given
  where audit.audit_id = given.number and audit.audit_id in (select number
  from given);
-- domain/operations/master-key/sealed-value-rows.ts: writeHashes (PostgreSQL)
-- No site: the key belongs to the hub.
with given(number, hash) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]))) update calls
  set hash = given.hash
  from given
  where calls.call_id = given.number;
-- No site: the key belongs to the hub.
with given(number, hash) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]))) update audit
  set hash = given.hash
  from given
  where audit.audit_id = given.number;

-- domain/operations/master-key/sealed-value-rows.ts: writeValue
update "site_keys"
  set "sealed_key" = ?
  where "site_id" = ? and "version" = ?;

-- domain/operations/tasks/due-rows.ts: jobsDue
-- No site: see above.
select "job_id", "site_id", "job_name", "due_at" as "at"
  from "jobs"
  where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION') and "due_at" > ? and "due_at" <= ?
  order by "due_at"
  limit ?;

-- domain/operations/tasks/due-rows.ts: jobsToArchive
-- No site: see above.
select "job_id", "site_id", "job_name", "archival_at" as "at"
  from "jobs"
  where "archive_status" = ? and "archival_at" > ? and "archival_at" <= ?
  order by "archival_at"
  limit ?;

-- domain/operations/tasks/due-rows.ts: nextDelivery
-- No site: both ids are unique in the hub.
select "delivery_id", "sequence", "attempts"
  from "deliveries"
  where "listener_id" = ? and "job_id" = ? and "state" <> ?
  order by "position"
  limit ?;

-- domain/operations/tasks/due-rows.ts: secretsEnding
-- No site: a client id is unique over all sites while it has a row.
select "client_id", "expires_at" as "at"
  from "client_secrets"
  where "expires_at" is not null and "expires_at" > ? and "expires_at" <= ?
  order by "expires_at"
  limit ?;

-- domain/operations/tasks/due-rows.ts: tasksDue
-- No site: see above.
select "task_id", "name", "site_id", "job_id", "key", "due_at", "attempts"
  from "tasks"
  where parked = 0 and lane = 0 and "due_at" > ? and "due_at" <= ?
  order by "due_at", "task_id"
  limit ?;
-- No site: see above.
select "task_id", "name", "site_id", "job_id", "key", "due_at", "attempts"
  from "tasks"
  where parked = 0 and lane = 1 and "due_at" > ? and "due_at" <= ?
  order by "due_at", "task_id"
  limit ?;

-- domain/operations/tasks/task-count-rows.ts: countFailing
-- No site: figures of the whole hub, for its operator.
select "name", count(*) as "many"
  from "tasks"
  where "parked" = ? and "last_error" is not null
  group by "name";

-- domain/operations/tasks/task-count-rows.ts: countRunning
-- No site: figures of the whole hub, for its operator.
select "leased_by", count(*) as "many"
  from (select "leased_by", "lease_until"
  from "tasks"
  where parked = 0 and lane = 0 and "due_at" <= ?
  order by "due_at"
  limit ?) as "due"
  where "lease_until" > ? and "leased_by" is not null
  group by "leased_by";
-- No site: figures of the whole hub, for its operator.
select "leased_by", count(*) as "many"
  from (select "leased_by", "lease_until"
  from "tasks"
  where parked = 0 and lane = 1 and "due_at" <= ?
  order by "due_at"
  limit ?) as "due"
  where "lease_until" > ? and "leased_by" is not null
  group by "leased_by";

-- domain/operations/tasks/task-count-rows.ts: countTasks
-- No site: figures of the whole hub, for its operator.
select case when parked = 1 then 'parked' when lease_until > ? then 'running' when lease_until is not null then 'lost' when due_at <= ? then 'due' else 'later' end as "state", count(*) as "many"
  from "tasks"
  group by "state";

-- domain/operations/tasks/task-count-rows.ts: troubledTasks
-- No site: figures of the whole hub, for its operator.
select count(*) as "many", sum("task_id") as "sum"
  from (select "task_id"
  from "tasks"
  where parked = 1
  order by "due_at" desc
  limit ?) as "some";
-- No site: figures of the whole hub, for its operator.
select count(*) as "many", sum("task_id") as "sum"
  from (select "task_id"
  from "tasks"
  where parked = 0 and last_error is not null
  order by "name"
  limit ?) as "some";

-- domain/people/link-rows.ts: countCodes
-- No site: a code belongs to a person, who may have roles in several sites.
select "code_hash"
  from "recovery_codes"
  where "person_id" = ?;

-- domain/people/link-rows.ts: deleteCredentials
-- No site: a passkey belongs to a person, who may have roles in several sites.
delete
  from "passkeys"
  where "person_id" = ?
  returning "passkey_id";
-- No site: a code belongs to a person, who may have roles in several sites.
delete
  from "recovery_codes"
  where "person_id" = ?;
-- No site: a person may have roles in several sites and signs in without naming one.
update "people"
  set "password_hash" = ?, "two_steps" = ?
  where "person_id" = ? and "password_hash" is not null
  returning "person_id";

-- domain/people/link-rows.ts: deleteExpiredLinks
-- No site: a link is found by its 256 random bits.
delete
  from "person_links"
  where "expires_at" <= ?;

-- domain/people/link-rows.ts: deleteLinksOf
-- No site: a link is found by its 256 random bits.
delete
  from "person_links"
  where "person_id" = ?;

-- domain/people/link-rows.ts: deleteNewLinks
-- No site: a link is found by its 256 random bits.
delete
  from "person_links"
  where "person_id" is null;

-- domain/people/link-rows.ts: deletePasskey
-- No site: a passkey belongs to a person, who may have roles in several sites.
delete
  from "passkeys"
  where "passkey_id" = ?;

-- domain/people/link-rows.ts: hasCode
-- No site: a code belongs to a person, who may have roles in several sites.
select "code_hash"
  from "recovery_codes"
  where "person_id" = ? and "code_hash" = ?;

-- domain/people/link-rows.ts: insertLink
-- No site: a link is found by its 256 random bits.
insert into "person_links" ("link_hash", "person_id", "roles", "created_at", "expires_at")
  values (?, ?, ?, ?, ?);

-- domain/people/link-rows.ts: insertPasskey
-- No site: a passkey belongs to a person, who may have roles in several sites.
insert into "passkeys" ("passkey_id", "person_id", "credential_id", "public_key", "algorithm", "sign_count", "name", "created_at", "last_used_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing
  returning "passkey_id";

-- domain/people/link-rows.ts: linkByHash
-- No site: a link is found by its 256 random bits.
select *
  from "person_links"
  where "link_hash" = ?;

-- domain/people/link-rows.ts: lockPasskey (SQLite)
-- No site: a passkey belongs to a person, who may have roles in several sites.
select *
  from "passkeys"
  where "passkey_id" = ?;
-- domain/people/link-rows.ts: lockPasskey (PostgreSQL)
-- No site: a passkey belongs to a person, who may have roles in several sites.
select *
  from "passkeys"
  where "passkey_id" = $1 for update;

-- domain/people/link-rows.ts: notePasskeyUse
-- No site: a passkey belongs to a person, who may have roles in several sites.
update "passkeys"
  set "passkey_id" = ?, "person_id" = ?, "credential_id" = ?, "public_key" = ?, "algorithm" = ?, "sign_count" = ?, "name" = ?, "created_at" = ?, "last_used_at" = ?
  where "passkey_id" = ?;

-- domain/people/link-rows.ts: passkeyByCredential
-- No site: a passkey belongs to a person, who may have roles in several sites.
select *
  from "passkeys"
  where "credential_id" = ?;

-- domain/people/link-rows.ts: passkeysOf
-- No site: a passkey belongs to a person, who may have roles in several sites.
select *
  from "passkeys"
  where "person_id" in (?)
  order by "created_at";

-- domain/people/link-rows.ts: replaceCodes
-- No site: a code belongs to a person, who may have roles in several sites.
delete
  from "recovery_codes"
  where "person_id" = ?;
-- No site: a code belongs to a person, who may have roles in several sites.
insert into "recovery_codes" ("person_id", "code_hash")
  values (?, ?);

-- domain/people/link-rows.ts: takeCode
-- No site: a code belongs to a person, who may have roles in several sites.
delete
  from "recovery_codes"
  where "person_id" = ? and "code_hash" = ?
  returning "code_hash";

-- domain/people/link-rows.ts: takeLink
-- No site: a link is found by its 256 random bits.
delete
  from "person_links"
  where "link_hash" = ?
  returning *;

-- domain/people/person-rows.ts: deletePerson
-- No site: a person may have roles in several sites and signs in without naming one.
delete
  from "people"
  where "person_id" = ?;

-- domain/people/person-rows.ts: hasPeople
-- No site: a person may have roles in several sites and signs in without naming one.
select "person_id"
  from "people"
  limit ?;

-- domain/people/person-rows.ts: hashesOf
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "email" = ?
  order by "account";

-- domain/people/person-rows.ts: insertPerson
-- No site: a person may have roles in several sites and signs in without naming one.
insert into "people" ("person_id", "name", "email", "issuer", "subject", "password_hash", "two_steps", "preferences", "created_at", "last_sign_in_at", "roles_at", "disabled_at", "account")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing
  returning "person_id";

-- domain/people/person-rows.ts: isAddressShared
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "email" = ?
  order by "account";

-- domain/people/person-rows.ts: lockPerson (SQLite)
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "person_id" = ?;
-- domain/people/person-rows.ts: lockPerson (PostgreSQL)
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "person_id" = $1 for update;

-- domain/people/person-rows.ts: pageOfPeople
select *
  from "people"
  where "person_id" in (select "person_id"
  from "person_roles"
  where "site_id" = ?) and ("created_at" <= ? and ("created_at" < ? or ("created_at" = ? and "person_id" < ?)))
  order by "created_at" desc, "person_id" desc
  limit ?;

-- domain/people/person-rows.ts: peopleByEmail
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "email" = ?
  order by "account";

-- domain/people/person-rows.ts: peopleWithMail
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "preferences" like ? and "disabled_at" is null
  order by "person_id";

-- domain/people/person-rows.ts: personById
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "person_id" = ?;

-- domain/people/person-rows.ts: personBySubject
-- No site: a person may have roles in several sites and signs in without naming one.
select *
  from "people"
  where "issuer" = ? and "subject" = ?;

-- domain/people/person-rows.ts: providersAmong
select "provider_id"
  from "providers"
  where "site_id" = ? and "provider_id" in (?);

-- domain/people/person-rows.ts: replaceRoles
delete
  from "person_roles"
  where "site_id" = ? and "person_id" = ?;
insert into "person_roles" ("person_id", "site_id", "role", "providers", "languages")
  values (?, ?, ?, ?, ?);

-- domain/people/person-rows.ts: rolesOfMany
-- No site: a person may have roles in several sites and signs in without naming one; what an admin sees is restricted to the people with a role in its site.
select *
  from "person_roles"
  where "person_id" in (?) and ("site_id" = ? or "site_id" in (select "site_id"
  from "sites"
  where "removing_at" is null))
  order by "site_id";

-- domain/people/person-rows.ts: updatePerson
-- No site: a person may have roles in several sites and signs in without naming one.
update "people"
  set "person_id" = ?, "name" = ?, "email" = ?, "issuer" = ?, "subject" = ?, "password_hash" = ?, "two_steps" = ?, "preferences" = ?, "created_at" = ?, "last_sign_in_at" = ?, "roles_at" = ?, "disabled_at" = ?, "account" = ?
  where "person_id" = ?;

-- domain/people/session-rows.ts: deleteEnded
-- No site: a session belongs to a person, who may have roles in several sites.
delete
  from "sessions"
  where "expires_at" <= ?;
-- No site: a session belongs to a person, who may have roles in several sites.
delete
  from "sessions"
  where "used_at" <= ?;

-- domain/people/session-rows.ts: deleteSession
-- No site: a session belongs to a person, who may have roles in several sites.
delete
  from "sessions"
  where "session_id" = ?
  returning "session_id";

-- domain/people/session-rows.ts: deleteSessionsOf
-- No site: a session belongs to a person, who may have roles in several sites.
delete
  from "sessions"
  where "person_id" = ? and "session_id" <> ?
  returning "session_id";

-- domain/people/session-rows.ts: insertSession
-- No site: a session belongs to a person, who may have roles in several sites.
insert into "sessions" ("session_id", "person_id", "token_hash", "former_hash", "former_until", "created_at", "used_at", "expires_at", "roles_at", "confirmed_at", "user_agent", "address")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/people/session-rows.ts: noteConfirmed
-- No site: a session belongs to a person, who may have roles in several sites.
update "sessions"
  set "confirmed_at" = ?
  where "session_id" = ?;

-- domain/people/session-rows.ts: noteUse
-- No site: a session belongs to a person, who may have roles in several sites.
update "sessions"
  set "used_at" = ?
  where "session_id" = ?;

-- domain/people/session-rows.ts: pageOfSessions
select *
  from "sessions"
  where "expires_at" > ? and "used_at" > ? and "person_id" in (select "person_id"
  from "person_roles"
  where "site_id" = ?) and "person_id" = ? and ("created_at" <= ? and ("created_at" < ? or ("created_at" = ? and "session_id" < ?)))
  order by "created_at" desc, "session_id" desc
  limit ?;

-- domain/people/session-rows.ts: replaceToken
-- No site: a session belongs to a person, who may have roles in several sites.
update "sessions"
  set "session_id" = ?, "person_id" = ?, "token_hash" = ?, "former_hash" = ?, "former_until" = ?, "created_at" = ?, "used_at" = ?, "expires_at" = ?, "roles_at" = ?, "confirmed_at" = ?, "user_agent" = ?, "address" = ?
  where "session_id" = ? and "token_hash" = ?
  returning "session_id";

-- domain/people/session-rows.ts: sessionById
-- No site: a session belongs to a person, who may have roles in several sites.
select *
  from "sessions"
  where "session_id" = ?;

-- domain/people/session-rows.ts: sessionByToken
-- No site: a session belongs to a person, who may have roles in several sites.
select *
  from "sessions"
  where "token_hash" = ?;
-- No site: a session belongs to a person, who may have roles in several sites.
select *
  from "sessions"
  where "former_hash" = ? and "former_until" > ?;

-- domain/people/session-rows.ts: sessionsOf
-- No site: a session belongs to a person, who may have roles in several sites.
select *
  from "sessions"
  where "person_id" = ? and "expires_at" > ? and "used_at" > ?
  order by "created_at" desc
  limit ?;

-- domain/settings/code-rows.ts: countCodes
select count(*) as "codes"
  from "analysis_codes"
  where "site_id" = ?;

-- domain/settings/code-rows.ts: insertCode
insert into "analysis_codes" ("code_id", "site_id", "level", "code", "code_key", "label", "visible", "created_at", "modified_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/settings/code-rows.ts: isUsed
select "job_id"
  from "job_codes"
  where "site_id" = ? and "code_id" = ?
  limit ?;
select "job_id"
  from "job_codes"
  where "site_id" = ? and "level" = ? and "code_key" = ? and "code_id" is null
  limit ?;

-- domain/settings/code-rows.ts: putLevel
insert into "analysis_levels" ("site_id", "level", "label", "visible")
  values (?, ?, ?, ?)
  on conflict ("site_id", "level") do update
  set "label" = ?, "visible" = ?;

-- domain/settings/code-rows.ts: removeCode
delete
  from "analysis_codes"
  where "site_id" = ? and "code_id" = ?;

-- domain/settings/code-rows.ts: selectByKeys
select *
  from "analysis_codes"
  where "site_id" = ? and ("level" = ? and "code_key" = ?);

-- domain/settings/code-rows.ts: selectCode
select *
  from "analysis_codes"
  where "site_id" = ? and "code_id" = ?;

-- domain/settings/code-rows.ts: selectCodes
select "code_id", "level", "code", "label", "visible"
  from "analysis_codes"
  where "site_id" = ?
  order by "level", "code_key";
select "code_id", "level", "code", "label", "visible"
  from "analysis_codes"
  where "site_id" = ? and "level" = ? and "visible" = ?
  order by "level", "code_key";

-- domain/settings/code-rows.ts: selectKnownCodes
select "code_id"
  from "analysis_codes"
  where "site_id" = ? and "code_id" in (?);

-- domain/settings/code-rows.ts: selectLevels
select *
  from "analysis_levels"
  where "site_id" = ?
  order by "level";

-- domain/settings/code-rows.ts: selectUse
select "code_id", "level", "code_key", count(*) as "jobs"
  from "job_codes"
  where "site_id" = ?
  group by "level", "code_key", "code_id";

-- domain/settings/code-rows.ts: updateCode
update "analysis_codes"
  set "code_id" = ?, "site_id" = ?, "level" = ?, "code" = ?, "code_key" = ?, "label" = ?, "visible" = ?, "created_at" = ?, "modified_at" = ?, "cause_id" = ?
  where "site_id" = ? and "code_id" = ?
  returning *;

-- domain/settings/format-option-rows.ts: selectFormatOptions
select "format_options"
  from "sites"
  where "site_id" = ?;

-- domain/settings/format-option-rows.ts: updateFormatOptions
update "sites"
  set "format_options" = ?
  where "site_id" = ?;

-- domain/settings/price-list-rows.ts: hasSite
select "site_id"
  from "sites"
  where "site_id" = ?;

-- domain/settings/price-list-rows.ts: insertPriceList
insert into "price_lists" ("price_list_id", "site_id", "version", "name", "currency", "valid_from", "valid_to", "prices", "created_at", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/settings/price-list-rows.ts: lastVersion
select "version"
  from "price_lists"
  where "site_id" = ?
  order by "version" desc
  limit ?;

-- domain/settings/price-list-rows.ts: selectInForce
select *
  from "price_lists"
  where "site_id" = ? and "valid_from" <= ? and ("valid_to" is null or "valid_to" >= ?)
  order by "valid_from" desc, "version" desc
  limit ?;

-- domain/settings/price-list-rows.ts: selectPriceList
select *
  from "price_lists"
  where "site_id" = ? and "price_list_id" = ?;

-- domain/settings/price-list-rows.ts: selectPriceLists
select *
  from "price_lists"
  where "site_id" = ?
  order by "version" desc
  limit ?;
select *
  from "price_lists"
  where "site_id" = ? and "version" < ?
  order by "version" desc
  limit ?;

-- domain/sites/seed/seed-rows.ts: clearTables
-- No site: a reset of the sandbox clears all sites.
delete
  from "site_bytes";
-- No site: a reset of the sandbox clears all sites.
delete
  from "engine_usage";
-- No site: a reset of the sandbox clears all sites.
delete
  from "drafts";
-- No site: a reset of the sandbox clears all sites.
delete
  from "former_targets";
-- No site: a reset of the sandbox clears all sites.
delete
  from "machine_work";
-- No site: a reset of the sandbox clears all sites.
delete
  from "engine_effort";
-- No site: a reset of the sandbox clears all sites.
delete
  from "upstream_links";
-- No site: a reset of the sandbox clears all sites.
delete
  from "upstream_calls";
-- No site: a reset of the sandbox clears all sites.
delete
  from "recorded_calls";
-- No site: a reset of the sandbox clears all sites.
delete
  from "job_quotes";
-- No site: postings are reached by their memory, which was found under its site.
delete
  from "memory_postings";
-- No site: units are reached by their memory, which was found under its site.
delete
  from "memory_units";
-- No site: a reset of the sandbox clears all sites.
delete
  from "memory_imports";
-- No site: a reset of the sandbox clears all sites.
delete
  from "memories";
-- No site: a reset of the sandbox clears all sites.
delete
  from "job_codes";
-- No site: a reset of the sandbox clears all sites.
delete
  from "analysis_codes";
-- No site: a reset of the sandbox clears all sites.
delete
  from "analysis_levels";
-- No site: a reset of the sandbox clears all sites.
delete
  from "price_lists";
-- No site: a reset of the sandbox clears all sites.
delete
  from "terms";
-- No site: attempts are reached by the position of a delivery, which was found under its site.
delete
  from "attempts";
-- No site: a reset of the sandbox clears all sites.
delete
  from "deliveries";
-- No site: a reset of the sandbox clears all sites.
delete
  from "listeners";
-- No site: a reset of the sandbox clears all sites.
delete
  from "status_updates";
-- No site: a reset of the sandbox clears all sites.
delete
  from "update_counters";
-- No site: a reset of the sandbox clears all sites.
delete
  from "moves";
-- No site: a reset of the sandbox clears all sites.
delete
  from "uploads";
-- No site: a reset of the sandbox clears all sites.
delete
  from "support_assets";
-- No site: a reset of the sandbox clears all sites.
delete
  from "tm_updates";
-- No site: a reset of the sandbox clears all sites.
delete
  from "requests";
-- No site: a reset of the sandbox clears all sites.
delete
  from "source_contents";
-- No site: a reset of the sandbox clears all sites.
delete
  from "files";
-- No site: a reset of the sandbox clears all sites.
delete
  from "content_keys";
-- No site: a reset of the sandbox clears all sites.
delete
  from "site_keys";
-- No site: a reset of the sandbox clears all sites.
delete
  from "job_labels";
-- No site: a reset of the sandbox clears all sites.
delete
  from "jobs";
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_providers";
-- No site: a client id is unique over all sites while it has a row.
delete
  from "client_secrets";
-- No site: a reset of the sandbox clears all sites.
delete
  from "clients";
-- No site: a session belongs to a person, who may have roles in several sites.
delete
  from "sessions";
-- No site: a code belongs to a person, who may have roles in several sites.
delete
  from "recovery_codes";
-- No site: a passkey belongs to a person, who may have roles in several sites.
delete
  from "passkeys";
-- No site: a link is found by its 256 random bits.
delete
  from "person_links";
-- No site: a reset of the sandbox clears all sites.
delete
  from "person_roles";
-- No site: a person may have roles in several sites and signs in without naming one.
delete
  from "people";
-- No site: a reset of the sandbox clears all sites.
delete
  from "providers";
-- No site: a reset of the sandbox clears all sites.
delete
  from "sites";
-- No site: a token call names no site.
delete
  from "guesses";
-- No site: a reset of the sandbox clears all sites.
delete
  from "tasks";
-- No site: a reset of the sandbox clears all sites.
delete
  from "idempotency";
-- No site: a reset of the sandbox clears all sites.
delete
  from "calls";
-- No site: a reset of the sandbox clears all sites.
delete
  from "call_times";
-- No site: a reset of the sandbox clears all sites.
delete
  from "audit";
-- No site: the hub's own table: calls a second by address.
delete
  from "buckets";

-- domain/sites/site-removal-rows.ts: deleteSiteRow
delete
  from "sites"
  where "site_id" = ?;

-- domain/sites/site-removal-rows.ts: selectSomeJobs
select "job_id"
  from "jobs"
  where "site_id" = ?
  limit ?;

-- domain/sites/site-rows.ts: beginRemoval
update "sites"
  set "removing_at" = ?
  where "site_id" = ?;
update "clients"
  set "disabled_at" = coalesce("disabled_at", ?)
  where "site_id" = ?
  returning "client_id";

-- domain/sites/site-rows.ts: lockSiteRow (SQLite)
select *
  from "sites"
  where "site_id" = ?;
-- domain/sites/site-rows.ts: lockSiteRow (PostgreSQL)
select *
  from "sites"
  where "site_id" = $1 for update;

-- domain/sites/site-rows.ts: pageOfSites
-- No site: only an operator lists them.
select *
  from "sites"
  order by "created_at" desc, "site_id" desc
  limit ?;
-- No site: only an operator lists them.
select *
  from "sites"
  where ("created_at" <= ? and ("created_at" < ? or ("created_at" = ? and "site_id" < ?)))
  order by "created_at" desc, "site_id" desc
  limit ?;

-- domain/sites/site-rows.ts: sizesOf
select sum("bytes") as "bytes"
  from "site_bytes"
  where "site_id" = ?;
select count(*) as "many"
  from (select "site_id"
  from "jobs"
  where "site_id" = ?
  limit ?) as "some";
select count(*) as "many"
  from (select "site_id"
  from "clients"
  where "site_id" = ?
  limit ?) as "some";

-- domain/upstream/call-rows.ts: forgetOldCalls
select "called_at", "call_id"
  from "upstream_calls"
  where "site_id" = ? and "job_id" = ?
  order by "called_at" desc, "call_id" desc
  limit ? offset ?;
delete
  from "upstream_calls"
  where "site_id" = ? and "job_id" = ? and ("called_at" < ? or ("called_at" = ? and "call_id" <= ?));

-- domain/upstream/call-rows.ts: insertUpstreamCall
insert into "upstream_calls" ("call_id", "site_id", "job_id", "called_at", "method", "path", "status", "error", "duration_us", "tries", "trace_id", "cause_id")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- domain/upstream/call-rows.ts: selectLastCall
select *
  from "upstream_calls"
  where "site_id" = ? and "job_id" = ?
  order by "called_at" desc, "call_id" desc
  limit ?;

-- domain/upstream/call-rows.ts: writeTries
update "upstream_calls"
  set "tries" = ?
  where "call_id" = ? and "site_id" = ?;

-- domain/upstream/link-rows.ts: removeLinks
delete
  from "upstream_links"
  where "site_id" = ? and "job_id" = ?;

-- domain/upstream/link-rows.ts: selectLinks
select *
  from "upstream_links"
  where "site_id" = ? and "job_id" = ?;

-- domain/upstream/link-rows.ts: selectOurJobs
-- No site: a signed call names none, and the caller compares the provider.
select "site_id", "job_id"
  from "upstream_links"
  where "kind" = ? and "their_id" = ?;

-- domain/upstream/link-rows.ts: writeLinks
-- No site: the rows name it, and the caller has locked their job.
insert into "upstream_links" ("site_id", "job_id", "kind", "our_id", "their_id", "taken", "failed", "told")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("job_id", "kind", "our_id") do update
  set "their_id" = "excluded"."their_id", "taken" = "excluded"."taken", "failed" = "excluded"."failed", "told" = "excluded"."told";

-- domain/upstream/recorded-rows.ts: deleteRecorded
delete
  from "recorded_calls"
  where "site_id" = ? and "job_id" = ?;

-- domain/upstream/recorded-rows.ts: insertRecorded
insert into "recorded_calls" ("call_id", "site_id", "job_id", "called_at", "side", "look", "call", "bytes")
  values (?, ?, ?, ?, ?, ?, ?, ?);

-- domain/upstream/recorded-rows.ts: selectLooks
select "look"
  from "recorded_calls"
  where "site_id" = ? and "job_id" = ? and "look" is not null
  order by "called_at" desc, "call_id" desc
  limit ?;

-- domain/upstream/recorded-rows.ts: selectRecorded
select *
  from "recorded_calls"
  where "site_id" = ? and "job_id" = ?
  order by "called_at", "call_id";

-- domain/upstream/recorded-rows.ts: sumRecorded
select sum("bytes") as "bytes", count("call_id") filter(where "side" = ?) as "full"
  from "recorded_calls"
  where "site_id" = ? and "job_id" = ?;

-- domain/views/changes/change-rows.ts: actsAdded
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "audit_id", "site_id", "thing", "thing_id"
  from "audit"
  where "audit_id" > ?
  order by "audit_id" desc
  limit ?;

-- domain/views/changes/change-rows.ts: attemptsMade
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "attempts"."position", "attempts"."number", "attempts"."attempted_at", "deliveries"."delivery_id", "deliveries"."site_id", "deliveries"."job_id", "deliveries"."listener_id"
  from "attempts"
  inner join "deliveries" on "deliveries"."position" = "attempts"."position"
  where "attempts"."attempted_at" >= ?
  order by "attempts"."attempted_at" desc
  limit ?;

-- domain/views/changes/change-rows.ts: callsAdded
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "call_id", "trace_id", "site_id", "job_id", "method", "route", "status"
  from "calls"
  where "call_id" > ?
  order by "call_id" desc
  limit ?;

-- domain/views/changes/change-rows.ts: chainEnds
-- No site: the hub's own table.
select "name", "last"
  from "chains";

-- domain/views/changes/change-rows.ts: deliveriesAdded
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "position", "delivery_id", "site_id", "job_id"
  from "deliveries"
  where "position" > ?
  order by "position" desc
  limit ?;

-- domain/views/changes/change-rows.ts: jobsChanged
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "job_id", "site_id", "version", "modified_at"
  from "jobs"
  where "modified_at" >= ?
  order by "modified_at" desc
  limit ?;

-- domain/views/changes/change-rows.ts: lastDelivery
-- No site: a node reads once for all of its streams, and sends each change to those of its site only.
select "position"
  from "deliveries"
  order by "position" desc
  limit ?;

-- domain/views/history/act-list-rows.ts: selectActs (SQLite)
select *
  from "audit"
  where "actor" <> ? and +"site_id" = ? and "thing_id" = ? and +"client_id" = ? and +"verb" = ? and +"thing" = ? and "acted_at" >= ? and "acted_at" <= ? and ("acted_at" <= ? and ("acted_at" < ? or ("acted_at" = ? and "audit_id" < ?)))
  order by "acted_at" desc, "audit_id" desc
  limit ?;
-- No site: an operator sees all of them; an admin's is always given.
select *
  from "audit"
  where "actor" <> ? and ("acted_at" <= ? and ("acted_at" < ? or ("acted_at" = ? and "audit_id" < ?)))
  order by "acted_at" desc, "audit_id" desc
  limit ?;
-- domain/views/history/act-list-rows.ts: selectActs (PostgreSQL)
select *
  from "audit"
  where "actor" <> $1 and "site_id" = $2 and "thing_id" = $3 and "client_id" = $4 and "verb" = $5 and "thing" = $6 and "acted_at" >= $7 and "acted_at" <= $8 and ("acted_at" <= $9 and ("acted_at" < $10 or ("acted_at" = $11 and "audit_id" < $12)))
  order by "acted_at" desc, "audit_id" desc
  limit $13;
-- No site: an operator sees all of them; an admin's is always given.
select *
  from "audit"
  where "actor" <> $1 and ("acted_at" <= $2 and ("acted_at" < $3 or ("acted_at" = $4 and "audit_id" < $5)))
  order by "acted_at" desc, "audit_id" desc
  limit $6;

-- domain/views/history/call-list-rows.ts: countNewest
select status, error_code, count(*) as rows, sum("count") as calls
  from ((select "status", "error_code", "count"
  from "calls"
  where "method" <> ? and "site_id" = ? and site_id <> ''
  order by "called_at" desc, "call_id" desc
  limit ?)) as newest
  group by status, error_code;

-- domain/views/history/call-list-rows.ts: selectCall (SQLite)
select *
  from "calls"
  where "trace_id" = ? and +"site_id" = ?
  order by "call_id" desc
  limit ?;
-- No site: an operator sees all of them; an admin's is always given.
select *
  from "calls"
  where "trace_id" = ?
  order by "call_id" desc
  limit ?;
-- domain/views/history/call-list-rows.ts: selectCall (PostgreSQL)
select *
  from "calls"
  where "trace_id" = $1 and "site_id" = $2
  order by "call_id" desc
  limit $3;
-- No site: an operator sees all of them; an admin's is always given.
select *
  from "calls"
  where "trace_id" = $1
  order by "call_id" desc
  limit $2;

-- domain/views/history/call-list-rows.ts: selectCalls (SQLite)
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> ? and +"site_id" = ? and "job_id" = ? and +"error_code" = ? and +"status" = ? and +"client_id" = ? and +"route" = ? and "called_at" >= ? and "called_at" <= ? and ("called_at" <= ? and ("called_at" < ? or ("called_at" = ? and "call_id" < ?)))
  order by "called_at" desc, "call_id" desc
  limit ?;
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> ? and "site_id" = ? and "status" = ? and status <> 200 and ("called_at" <= ? and ("called_at" < ? or ("called_at" = ? and "call_id" < ?)))
  order by "called_at" desc, "call_id" desc
  limit ?;
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> ? and +"site_id" = ? and "job_id" = ? and +"status" >= ? and +"status" < ? and ("called_at" <= ? and ("called_at" < ? or ("called_at" = ? and "call_id" < ?)))
  order by "called_at" desc, "call_id" desc
  limit ?;
-- No site: an operator sees all of them; an admin's is always given.
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> ? and ("called_at" <= ? and ("called_at" < ? or ("called_at" = ? and "call_id" < ?)))
  order by "called_at" desc, "call_id" desc
  limit ?;
-- domain/views/history/call-list-rows.ts: selectCalls (PostgreSQL)
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> $1 and "site_id" = $2 and "job_id" = $3 and "error_code" = $4 and "status" = $5 and "client_id" = $6 and "route" = $7 and "called_at" >= $8 and "called_at" <= $9 and ("called_at" <= $10 and ("called_at" < $11 or ("called_at" = $12 and "call_id" < $13)))
  order by "called_at" desc, "call_id" desc
  limit $14;
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> $1 and "site_id" = $2 and "status" = $3 and status <> 200 and ("called_at" <= $4 and ("called_at" < $5 or ("called_at" = $6 and "call_id" < $7)))
  order by "called_at" desc, "call_id" desc
  limit $8;
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> $1 and "site_id" = $2 and "job_id" = $3 and "status" >= $4 and "status" < $5 and ("called_at" <= $6 and ("called_at" < $7 or ("called_at" = $8 and "call_id" < $9)))
  order by "called_at" desc, "call_id" desc
  limit $10;
-- No site: an operator sees all of them; an admin's is always given.
select "call_id", "trace_id", "called_at", "method", "route", "ids", "job_id", "site_id", "client_id", "address", "status", "error_code", "duration_us", "bytes_in", "bytes_out", "count"
  from "calls"
  where "method" <> $1 and ("called_at" <= $2 and ("called_at" < $3 or ("called_at" = $4 and "call_id" < $5)))
  order by "called_at" desc, "call_id" desc
  limit $6;

-- domain/views/history/call-list-rows.ts: selectStatuses
with recursive found(status) as ( select min(status)
  from calls
  where site_id = ? and status <> 200 and status < ? and status >= ? union all select (select min(status)
  from calls
  where site_id = ? and status <> 200 and status < ? and status > found.status)
  from found
  where found.status is not null ) select status
  from found
  where status is not null;
-- No site: an operator sees all of them; an admin's is always given.
with recursive found(status) as ( select min(status)
  from calls
  where status >= 0 and status <> 200 and status < ? and status >= ? union all select (select min(status)
  from calls
  where status >= 0 and status <> 200 and status < ? and status > found.status)
  from found
  where found.status is not null ) select status
  from found
  where status is not null;

-- domain/views/history/call-rows.ts: addTimes
insert into "call_times" ("site_id", "day", "route", "ms", "times")
  values (?, ?, ?, ?, ?)
  on conflict ("site_id", "day", "route", "ms") do update
  set "times" = call_times.times + excluded.times;

-- domain/views/history/call-rows.ts: deleteUpTo
-- No site: the log belongs to the operator, and a call of an unknown caller has no site.
delete
  from "calls"
  where "call_id" <= ?;

-- domain/views/history/call-rows.ts: forgetTimes
-- No site: the log belongs to the operator, and a call of an unknown caller has no site.
delete
  from "call_times"
  where "day" < ?;

-- domain/views/history/call-rows.ts: insertCalls (SQLite)
insert into calls (call_id, trace_id, called_at, method, route, ids, job_id, site_id, client_id, address, status, error_code, duration_us, bytes_in, bytes_out, call_body, answer_body, count, bytes, hash, erased)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- domain/views/history/call-rows.ts: insertCalls (PostgreSQL)
insert into calls (call_id, trace_id, called_at, method, route, ids, job_id, site_id, client_id, address, status, error_code, duration_us, bytes_in, bytes_out, call_body, answer_body, count, bytes, hash, erased) select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as text[]), cast(cast($3 as text) as bigint[]), cast(cast($4 as text) as text[]), cast(cast($5 as text) as text[]), cast(cast($6 as text) as text[]), cast(cast($7 as text) as text[]), cast(cast($8 as text) as text[]), cast(cast($9 as text) as text[]), cast(cast($10 as text) as text[]), cast(cast($11 as text) as bigint[]), cast(cast($12 as text) as text[]), cast(cast($13 as text) as bigint[]), cast(cast($14 as text) as bigint[]), cast(cast($15 as text) as bigint[]), cast(cast($16 as text) as text[]), cast(cast($17 as text) as text[]), cast(cast($18 as text) as bigint[]), cast(cast($19 as text) as bigint[]), cast(cast($20 as text) as text[]), cast(cast($21 as text) as text[]));

-- domain/views/history/call-rows.ts: selectOldest
-- No site: the log belongs to the operator, and a call of an unknown caller has no site.
select "call_id", "hash", "bytes", "called_at"
  from "calls"
  order by "call_id"
  limit ?;

-- domain/views/history/timeline-rows.ts: attemptsOfJob
-- No site: an attempt belongs to its delivery, whose job the caller has found in its site.
select "attempts"."position", "number", "attempted_at", "duration_ms", "response_code", "error", (select "deliveries"."delivery_id"
  from "deliveries"
  where "deliveries"."position" = "attempts"."position") as "delivery_id", (select "deliveries"."listener_id"
  from "deliveries"
  where "deliveries"."position" = "attempts"."position") as "listener_id", (select "deliveries"."cause_id"
  from "deliveries"
  where "deliveries"."position" = "attempts"."position") as "cause_id"
  from "attempts"
  where "job_id" = ? and ("attempted_at" >= ? and ("attempted_at" > ? or ("attempted_at" = ? and "position" > ?) or ("attempted_at" = ? and "position" = ? and "number" > ?)))
  order by "attempted_at" asc, "position" asc, "number" asc
  limit ?;

-- domain/views/history/timeline-rows.ts: callsNamed (SQLite)
select "trace_id"
  from "calls"
  where "trace_id" in (?) and +"job_id" = ? and +"site_id" = ?;
-- domain/views/history/timeline-rows.ts: callsNamed (PostgreSQL)
select "trace_id"
  from "calls"
  where "trace_id" in ($1) and "job_id" = $2 and "site_id" = $3;

-- domain/views/history/timeline-rows.ts: callsOfJob (SQLite)
select "call_id", "trace_id", "called_at", "method", "route", "ids", "client_id", "status", "error_code", "duration_us"
  from "calls"
  where not (method = 'GET' and route like '/console/%') and "job_id" = ? and +"site_id" = ? and ("called_at" >= ? and ("called_at" > ? or ("called_at" = ? and "call_id" > ?)))
  order by "called_at" asc, "call_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: callsOfJob (PostgreSQL)
select "call_id", "trace_id", "called_at", "method", "route", "ids", "client_id", "status", "error_code", "duration_us"
  from "calls"
  where not (method = 'GET' and route like '/console/%') and "job_id" = $1 and "site_id" = $2 and ("called_at" >= $3 and ("called_at" > $4 or ("called_at" = $5 and "call_id" > $6)))
  order by "called_at" asc, "call_id" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: deliveriesOfJob (SQLite)
select "position", "delivery_id", "listener_id", "event_type", "request_ids", "sequence", "state", "created_at", "next_attempt_at", "cause_id", "uri"
  from "deliveries"
  where "job_id" = ? and +"site_id" = ? and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "position" > ?)))
  order by "created_at" asc, "position" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: deliveriesOfJob (PostgreSQL)
select "position", "delivery_id", "listener_id", "event_type", "request_ids", "sequence", "state", "created_at", "next_attempt_at", "cause_id", "uri"
  from "deliveries"
  where "job_id" = $1 and "site_id" = $2 and ("created_at" >= $3 and ("created_at" > $4 or ("created_at" = $5 and "position" > $6)))
  order by "created_at" asc, "position" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: filesOfJob (SQLite)
select "file_id", "name", "state", "kind", "size", "created_at", "cause_id"
  from "files"
  where "job_id" = ? and +"site_id" = ? and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "file_id" > ?)))
  order by "created_at" asc, "file_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: filesOfJob (PostgreSQL)
select "file_id", "name", "state", "kind", "size", "created_at", "cause_id"
  from "files"
  where "job_id" = $1 and "site_id" = $2 and ("created_at" >= $3 and ("created_at" > $4 or ("created_at" = $5 and "file_id" > $6)))
  order by "created_at" asc, "file_id" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: movesOfJob (SQLite)
select *
  from "moves"
  where "job_id" = ? and +"site_id" = ? and ("moved_at" >= ? and ("moved_at" > ? or ("moved_at" = ? and "move_id" > ?)))
  order by "moved_at" asc, "move_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: movesOfJob (PostgreSQL)
select *
  from "moves"
  where "job_id" = $1 and "site_id" = $2 and ("moved_at" >= $3 and ("moved_at" > $4 or ("moved_at" = $5 and "move_id" > $6)))
  order by "moved_at" asc, "move_id" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: quotesOfJob (SQLite)
select "job_id", "quote", "quoted_at", "cause_id"
  from "job_quotes"
  where "job_id" = ? and +"site_id" = ? and ("quoted_at" >= ? and ("quoted_at" > ? or ("quoted_at" = ? and "job_id" > ?)))
  order by "quoted_at" asc, "job_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: quotesOfJob (PostgreSQL)
select "job_id", "quote", "quoted_at", "cause_id"
  from "job_quotes"
  where "job_id" = $1 and "site_id" = $2 and ("quoted_at" >= $3 and ("quoted_at" > $4 or ("quoted_at" = $5 and "job_id" > $6)))
  order by "quoted_at" asc, "job_id" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: requestLanguages
select "request_id", "target_language", "created_at", "last_try"
  from "requests"
  where "site_id" = ? and "job_id" = ?
  order by "position";

-- domain/views/history/timeline-rows.ts: requestMovesOfJob (SQLite)
select "request_ids", "to_status", "moved_at"
  from "moves"
  where "job_id" = ? and +"site_id" = ? and "request_ids" is not null
  order by "moved_at", "move_id";
-- domain/views/history/timeline-rows.ts: requestMovesOfJob (PostgreSQL)
select "request_ids", "to_status", "moved_at"
  from "moves"
  where "job_id" = $1 and "site_id" = $2 and "request_ids" is not null
  order by "moved_at", "move_id";

-- domain/views/history/timeline-rows.ts: requestsNamed
select "request_id", "request_name", "target_language", "reject_note", "translation_file_id"
  from "requests"
  where "site_id" = ? and "job_id" = ? and ("request_id" in (?) or "translation_file_id" in (?));

-- domain/views/history/timeline-rows.ts: siteOfJob
-- No site: an operator may ask about a job of any; an admin's is compared.
select "site_id"
  from "jobs"
  where "job_id" = ?;

-- domain/views/history/timeline-rows.ts: tasksOfJob (SQLite)
select "task_id", "name", "due_at", "attempts", "created_at", "cause_id", "last_error", case when parked = 1 then 'parked' when lease_until > ? then 'running' when lease_until is not null then 'lost' when due_at <= ? then 'due' else 'later' end as "state"
  from "tasks"
  where "job_id" = ? and +"site_id" = ? and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "task_id" > ?)))
  order by "created_at" asc, "task_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: tasksOfJob (PostgreSQL)
select "task_id", "name", "due_at", "attempts", "created_at", "cause_id", "last_error", case when parked = 1 then 'parked' when lease_until > $1 then 'running' when lease_until is not null then 'lost' when due_at <= $2 then 'due' else 'later' end as "state"
  from "tasks"
  where "job_id" = $3 and "site_id" = $4 and ("created_at" >= $5 and ("created_at" > $6 or ("created_at" = $7 and "task_id" > $8)))
  order by "created_at" asc, "task_id" asc
  limit $9;

-- domain/views/history/timeline-rows.ts: updatesOfJob (SQLite)
select *
  from "status_updates"
  where "job_id" = ? and +"site_id" = ? and ("updated_at" >= ? and ("updated_at" > ? or ("updated_at" = ? and "update_id" > ?)))
  order by "updated_at" asc, "update_id" asc
  limit ?;
-- domain/views/history/timeline-rows.ts: updatesOfJob (PostgreSQL)
select *
  from "status_updates"
  where "job_id" = $1 and "site_id" = $2 and ("updated_at" >= $3 and ("updated_at" > $4 or ("updated_at" = $5 and "update_id" > $6)))
  order by "updated_at" asc, "update_id" asc
  limit $7;

-- domain/views/history/timeline-rows.ts: upstreamCallsOfJob (SQLite)
select *
  from "upstream_calls"
  where "job_id" = ? and +"site_id" = ? and ("called_at" <= ? and ("called_at" < ? or ("called_at" = ? and "call_id" < ?)))
  order by "called_at" desc, "call_id" desc
  limit ?;
-- domain/views/history/timeline-rows.ts: upstreamCallsOfJob (PostgreSQL)
select *
  from "upstream_calls"
  where "job_id" = $1 and "site_id" = $2 and ("called_at" <= $3 and ("called_at" < $4 or ("called_at" = $5 and "call_id" < $6)))
  order by "called_at" desc, "call_id" desc
  limit $7;

-- domain/views/reports/effort-rows.ts: selectEffort
select *
  from "engine_effort"
  where "site_id" = ? and "delivered_at" >= ? and "delivered_at" < ? and ("delivered_at" >= ? and ("delivered_at" > ? or ("delivered_at" = ? and "job_id" > ?) or ("delivered_at" = ? and "job_id" = ? and "request_id" > ?) or ("delivered_at" = ? and "job_id" = ? and "request_id" = ? and "provider_id" > ?) or ("delivered_at" = ? and "job_id" = ? and "request_id" = ? and "provider_id" = ? and "engine" > ?)))
  order by "delivered_at" asc, "job_id" asc, "request_id" asc, "provider_id" asc, "engine" asc
  limit ?;

-- domain/views/reports/latency-rows.ts: selectCreated
select "position", "listener_id", "created_at"
  from "deliveries"
  where "site_id" = ? and "state" = ? and "created_at" >= ? and "created_at" < ? and ("created_at" >= ? and ("created_at" > ? or ("created_at" = ? and "position" > ?)))
  order by "created_at" asc, "position" asc
  limit ?;

-- domain/views/reports/latency-rows.ts: selectDurations
-- No site: attempts are reached by the position of a delivery, which was found under its site.
select "position", "duration_ms"
  from "attempts"
  where "position" in (?);

-- domain/views/reports/latency-rows.ts: selectListenerUris
select "listener_id" as "id", "client_id", "job_uri", "request_uri"
  from "listeners"
  where "site_id" = ? and "listener_id" in (?);

-- domain/views/reports/latency-rows.ts: selectTimes
select "route", "ms", sum("times") as "times"
  from "call_times"
  where "site_id" = ? and "day" >= ? and "day" < ?
  group by "route", "ms";

-- domain/views/reports/report-rows.ts: selectCodeNames
select "code_id" as "id", "code", "label"
  from "analysis_codes"
  where "site_id" = ? and "code_id" in (?);

-- domain/views/reports/report-rows.ts: selectCodes (SQLite)
select "job_id", "code_id"
  from "job_codes"
  where "job_id" in (?) and "level" = ? and +"site_id" = ?;
-- domain/views/reports/report-rows.ts: selectCodes (PostgreSQL)
select "job_id", "code_id"
  from "job_codes"
  where "job_id" in ($1) and "level" = $2 and "site_id" = $3;

-- domain/views/reports/report-rows.ts: selectDue
select "job_id", "provider_id", "status", "archived", "submitted_at", "modified_at", "due_at"
  from "jobs"
  where "site_id" = ? and "archived" = ? and "due_at" >= ? and "due_at" < ? and "submitted_at" is not null and ("due_at" >= ? and ("due_at" > ? or ("due_at" = ? and "job_id" > ?)))
  order by "due_at" asc, "job_id" asc
  limit ?;

-- domain/views/reports/report-rows.ts: selectEngineUsage
select "day", "provider_id", "job_id", "unit", "estimated", "billed", "saved", "requests"
  from "engine_usage"
  where "site_id" = ? and "day" >= ? and "day" < ? and "job_id" != ? and ("day" >= ? and ("day" > ? or ("day" = ? and "provider_id" > ?) or ("day" = ? and "provider_id" = ? and "job_id" > ?) or ("day" = ? and "provider_id" = ? and "job_id" = ? and "unit" > ?)))
  order by "day" asc, "provider_id" asc, "job_id" asc, "unit" asc
  limit ?;

-- domain/views/reports/report-rows.ts: selectJobNames (SQLite)
select "job_id" as "id", "job_name" as "name"
  from "jobs"
  where "job_id" in (?) and +"site_id" = ?;
-- domain/views/reports/report-rows.ts: selectJobNames (PostgreSQL)
select "job_id" as "id", "job_name" as "name"
  from "jobs"
  where "job_id" in ($1) and "site_id" = $2;

-- domain/views/reports/report-rows.ts: selectMoves (SQLite)
select "move_id", "job_id", "request_ids", "move", "from_status", "to_status", "moved_at"
  from "moves"
  where "job_id" in (?) and +"site_id" = ? and ("job_id" >= ? and ("job_id" > ? or ("job_id" = ? and "moved_at" > ?) or ("job_id" = ? and "moved_at" = ? and "move_id" > ?)))
  order by "job_id" asc, "moved_at" asc, "move_id" asc
  limit ?;
-- domain/views/reports/report-rows.ts: selectMoves (PostgreSQL)
select "move_id", "job_id", "request_ids", "move", "from_status", "to_status", "moved_at"
  from "moves"
  where "job_id" in ($1) and "site_id" = $2 and ("job_id" >= $3 and ("job_id" > $4 or ("job_id" = $5 and "moved_at" > $6) or ("job_id" = $7 and "moved_at" = $8 and "move_id" > $9)))
  order by "job_id" asc, "moved_at" asc, "move_id" asc
  limit $10;

-- domain/views/reports/report-rows.ts: selectProviderNames
select "provider_id" as "id", "name"
  from "providers"
  where "site_id" = ? and "provider_id" in (?);

-- domain/views/reports/report-rows.ts: selectQuotes (SQLite)
select "job_id", "quote"
  from "job_quotes"
  where "job_id" in (?) and +"site_id" = ?;
-- domain/views/reports/report-rows.ts: selectQuotes (PostgreSQL)
select "job_id", "quote"
  from "job_quotes"
  where "job_id" in ($1) and "site_id" = $2;

-- domain/views/reports/report-rows.ts: selectRequests (SQLite)
select "request_id", "job_id", "position", "target_language", "word_count"
  from "requests"
  where "job_id" in (?) and +"site_id" = ? and ("job_id" >= ? and ("job_id" > ? or ("job_id" = ? and "position" > ?)))
  order by "job_id" asc, "position" asc
  limit ?;
-- domain/views/reports/report-rows.ts: selectRequests (PostgreSQL)
select "request_id", "job_id", "position", "target_language", "word_count"
  from "requests"
  where "job_id" in ($1) and "site_id" = $2 and ("job_id" >= $3 and ("job_id" > $4 or ("job_id" = $5 and "position" > $6)))
  order by "job_id" asc, "position" asc
  limit $7;

-- domain/views/reports/report-rows.ts: selectSubmitted
select "job_id", "provider_id", "status", "archived", "submitted_at", "modified_at", "due_at"
  from "jobs"
  where "site_id" = ? and "submitted_at" is not null and "submitted_at" >= ? and "submitted_at" < ? and ("submitted_at" >= ? and ("submitted_at" > ? or ("submitted_at" = ? and "job_id" > ?)))
  order by "submitted_at" asc, "job_id" asc
  limit ?;

-- domain/views/search/find-rows.ts: clientsNamed
select "client_id"
  from "clients"
  where "site_id" = ? and "client_id" >= ? and "client_id" < ?
  order by "client_id"
  limit ?;
-- No site: an operator finds what the operator may list of all sites.
select "client_id"
  from "clients"
  where "client_id" >= ? and "client_id" < ?
  order by "client_id"
  limit ?;

-- domain/views/search/find-rows.ts: createdAfter
select "created_at"
  from "jobs"
  where "site_id" = ? and "archived" = ?
  order by "created_at" desc
  limit ? offset ?;

-- domain/views/search/find-rows.ts: jobsById (SQLite)
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" in (?) and +"site_id" = ?;
-- domain/views/search/find-rows.ts: jobsById (PostgreSQL)
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" in ($1) and "site_id" = $2;

-- domain/views/search/find-rows.ts: jobsLabelled
select "job_id"
  from "job_labels"
  where "site_id" = ? and "name" = ? and "value" >= ? and "value" < ?
  limit ?;

-- domain/views/search/find-rows.ts: labelsOf (SQLite)
select "job_id", "name", "value"
  from "job_labels"
  where "job_id" in (?) and +"site_id" = ?;
-- domain/views/search/find-rows.ts: labelsOf (PostgreSQL)
select "job_id", "name", "value"
  from "job_labels"
  where "job_id" in ($1) and "site_id" = $2;

-- domain/views/search/find-rows.ts: newestPeople
select "person_id", "name", "email"
  from "people"
  where "person_id" in (select "person_id"
  from "person_roles"
  where "site_id" = ?)
  order by "created_at" desc, "person_id" desc
  limit ?;
-- No site: a person may have roles in several sites and signs in without naming one.
select "person_id", "name", "email"
  from "people"
  order by "created_at" desc, "person_id" desc
  limit ?;

-- domain/views/search/find-rows.ts: providersOf
select "provider_id", "name"
  from "providers"
  where "site_id" = ?
  limit ?;

-- domain/views/search/find-rows.ts: requestOfNewest
-- No site: an operator finds what the operator may list of all sites.
select "newest"."job_id"
  from (select "job_id"
  from "jobs"
  where "site_id" = ? and "archived" = ?
  order by "created_at" desc, "job_id" desc
  limit ?) as "newest"
  where (select r.position
  from requests r
  where r.job_id = newest.job_id and r.request_id = ?
  limit 1) is not null
  limit ?;
select "job_id", "request_name", "status", "target_language"
  from "requests"
  where "job_id" = ? and "request_id" = ? and "site_id" = ?;

-- domain/views/search/find-rows.ts: rowById (SQLite)
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" = ? and 1 = 1
  limit 1;
select "job_id", "event_type", "uri"
  from "deliveries"
  where "delivery_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "event_type", "uri"
  from "deliveries"
  where "delivery_id" = ? and 1 = 1
  limit 1;
select "type", "job_uri", "request_uri"
  from "listeners"
  where "listener_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "type", "job_uri", "request_uri"
  from "listeners"
  where "listener_id" = ? and 1 = 1
  limit 1;
select "job_id", "status", "sequence"
  from "status_updates"
  where "update_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "status", "sequence"
  from "status_updates"
  where "update_id" = ? and 1 = 1
  limit 1;
select "asset_id", "job_id", "description"
  from "support_assets"
  where "asset_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "asset_id", "job_id", "description"
  from "support_assets"
  where "asset_id" = ? and 1 = 1
  limit 1;
select "job_id", "source_language", "target_language"
  from "tm_updates"
  where "tmupdate_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "source_language", "target_language"
  from "tm_updates"
  where "tmupdate_id" = ? and 1 = 1
  limit 1;
select "job_id", "name"
  from "files"
  where "file_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "name"
  from "files"
  where "file_id" = ? and 1 = 1
  limit 1;
select "name", "job_id"
  from "tasks"
  where "task_id" = ? and +"site_id" = ?
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "name", "job_id"
  from "tasks"
  where "task_id" = ? and 1 = 1
  limit 1;
select "job_id", "method", "route", "status", "error_code"
  from "calls"
  where "trace_id" = ? and +"site_id" = ?
  order by "call_id" desc
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "method", "route", "status", "error_code"
  from "calls"
  where "trace_id" = ? and 1 = 1
  order by "call_id" desc
  limit 1;
-- domain/views/search/find-rows.ts: rowById (PostgreSQL)
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "job_name", "status", "po_reference", "global_tracking_id"
  from "jobs"
  where "job_id" = $1 and 1 = 1
  limit 1;
select "job_id", "event_type", "uri"
  from "deliveries"
  where "delivery_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "event_type", "uri"
  from "deliveries"
  where "delivery_id" = $1 and 1 = 1
  limit 1;
select "type", "job_uri", "request_uri"
  from "listeners"
  where "listener_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "type", "job_uri", "request_uri"
  from "listeners"
  where "listener_id" = $1 and 1 = 1
  limit 1;
select "job_id", "status", "sequence"
  from "status_updates"
  where "update_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "status", "sequence"
  from "status_updates"
  where "update_id" = $1 and 1 = 1
  limit 1;
select "asset_id", "job_id", "description"
  from "support_assets"
  where "asset_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "asset_id", "job_id", "description"
  from "support_assets"
  where "asset_id" = $1 and 1 = 1
  limit 1;
select "job_id", "source_language", "target_language"
  from "tm_updates"
  where "tmupdate_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "source_language", "target_language"
  from "tm_updates"
  where "tmupdate_id" = $1 and 1 = 1
  limit 1;
select "job_id", "name"
  from "files"
  where "file_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "name"
  from "files"
  where "file_id" = $1 and 1 = 1
  limit 1;
select "name", "job_id"
  from "tasks"
  where "task_id" = $1 and "site_id" = $2
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "name", "job_id"
  from "tasks"
  where "task_id" = $1 and 1 = 1
  limit 1;
select "job_id", "method", "route", "status", "error_code"
  from "calls"
  where "trace_id" = $1 and "site_id" = $2
  order by "call_id" desc
  limit 1;
-- No site: an operator finds what the operator may list of all sites.
select "job_id", "method", "route", "status", "error_code"
  from "calls"
  where "trace_id" = $1 and 1 = 1
  order by "call_id" desc
  limit 1;

-- store/chains.ts: cutChain
-- No site: the hub's own table.
update "chains"
  set "last" = ?, "hash" = ?, "anchor" = ?, "anchor_hash" = ?, "bytes" = ?, "seal" = ?
  where "name" = ?;

-- store/chains.ts: extendChain (SQLite)
-- No site: the hub's own table.
select *
  from "chains"
  where "name" = ?;
-- No site: the hub's own table.
update "chains"
  set "last" = ?, "hash" = ?, "bytes" = ?, "seal" = ?
  where "name" = ?;
-- store/chains.ts: extendChain (PostgreSQL)
-- No site: the hub's own table.
select *
  from "chains"
  where "name" = $1 for update;
-- No site: the hub's own table.
update "chains"
  set "last" = $1, "hash" = $2, "bytes" = $3, "seal" = $4
  where "name" = $5;

-- store/chains.ts: lockChain (SQLite)
-- No site: the hub's own table.
select *
  from "chains"
  where "name" = ?;
-- store/chains.ts: lockChain (PostgreSQL)
-- No site: the hub's own table.
select *
  from "chains"
  where "name" = $1 for update;

-- store/chains.ts: readChain
-- No site: the hub's own table.
select *
  from "chains"
  where "name" = ?;

-- store/chains.ts: readChains
-- No site: the hub's own table.
select *
  from "chains";

-- store/chains.ts: resetChains
-- No site: the hub's own table.
update "chains"
  set "last" = ?, "hash" = ?, "anchor" = ?, "anchor_hash" = ?, "bytes" = ?, "seal" = ?
  where "name" = ?;

-- store/chains.ts: rowsAfter
-- No site: a chain covers all sites.
select *
  from "calls"
  where "call_id" > ?
  order by "call_id"
  limit ?;
-- No site: a chain covers all sites.
select *
  from "audit"
  where "audit_id" > ?
  order by "audit_id"
  limit ?;

-- store/chains.ts: writeHead
-- No site: the hub's own table.
update "chains"
  set "last" = ?, "hash" = ?, "anchor" = ?, "anchor_hash" = ?, "bytes" = ?, "seal" = ?
  where "name" = ?;

-- store/erased-rows.ts: eraseActs
select *
  from "audit"
  where "site_id" = ? and not ("thing" = ? and "verb" = ?)
  limit ?;

-- store/erased-rows.ts: eraseBodies
select *
  from "calls"
  where "site_id" = ? and "job_id" = ? and ("call_body" is not null or "answer_body" is not null)
  limit ?;

-- store/erased-rows.ts: eraseCalls
select *
  from "calls"
  where "site_id" = ?
  limit ?;

-- store/hub-state.ts: lockHubState (SQLite)
-- No site: the hub's own table.
insert into "hub_state" ("name", "value")
  values (?, ?)
  on conflict ("name") do nothing;
-- No site: the hub's own table.
select "value"
  from "hub_state"
  where "name" = ?;
-- store/hub-state.ts: lockHubState (PostgreSQL)
-- No site: the hub's own table.
insert into "hub_state" ("name", "value")
  values ($1, $2)
  on conflict ("name") do nothing;
-- No site: the hub's own table.
select "value"
  from "hub_state"
  where "name" = $1 for update;

-- store/hub-state.ts: readHubState
-- No site: the hub's own table.
select "value"
  from "hub_state"
  where "name" = ?;

-- store/hub-state.ts: writeHubState
-- No site: the hub's own table.
insert into "hub_state" ("name", "value")
  values (?, ?)
  on conflict ("name") do update
  set "value" = ?;

-- store/hub-state.ts: writeHubStateOnce
-- No site: the hub's own table.
insert into "hub_state" ("name", "value")
  values (?, ?)
  on conflict ("name") do nothing;
-- No site: the hub's own table.
select "value"
  from "hub_state"
  where "name" = ?;

-- store/nodes.ts: beatNode (SQLite)
-- No site: the hub's own table.
insert into "nodes" ("node_id", "host", "version", "started_at", "seen_at", "skew_ms")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("node_id") do update
  set "seen_at" = ?, "skew_ms" = ?;
-- No site: the hub's own table.
delete
  from "nodes"
  where "seen_at" < ?;
-- store/nodes.ts: beatNode (PostgreSQL)
select extract(epoch
  from clock_timestamp()) * 1000 as ms;
-- No site: the hub's own table.
insert into "nodes" ("node_id", "host", "version", "started_at", "seen_at", "skew_ms")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("node_id") do update
  set "seen_at" = $7, "skew_ms" = $8;
-- No site: the hub's own table.
delete
  from "nodes"
  where "seen_at" < $1;

-- store/nodes.ts: countLiveNodes
-- No site: the hub's own table.
select count(*) as "count"
  from "nodes"
  where "seen_at" > ?;

-- store/nodes.ts: markStopping
-- No site: the hub's own table.
update "nodes"
  set "stopping_at" = ?
  where "node_id" = ?;

-- store/nodes.ts: removeNode
-- No site: the hub's own table.
delete
  from "nodes"
  where "node_id" = ?;

-- store/nodes.ts: selectNodes
-- No site: the hub's own table.
select *
  from "nodes"
  order by "started_at" desc, "node_id";

-- store/tasks/add-tasks.ts: addInOrder
-- No site: the runner serves all sites, and the key of a task holds random ids.
insert into "tasks" ("name", "payload", "site_id", "job_id", "key", "due_at", "attempts", "parked", "fence", "cause_id", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("key") do update
  set "due_at" = case when tasks.lease_until > ? or excluded.due_at < tasks.due_at then excluded.due_at else tasks.due_at end, "attempts" = case when tasks.lease_until is null then tasks.attempts else 0 end
  where tasks.lease_until is not null or excluded.due_at < tasks.due_at;

-- store/tasks/add-tasks.ts: addTasks
-- No site: the runner serves all sites, and the key of a task holds random ids.
insert into "tasks" ("name", "payload", "site_id", "job_id", "key", "due_at", "attempts", "parked", "fence", "cause_id", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("key") do update
  set "due_at" = case when tasks.lease_until > ? or excluded.due_at < tasks.due_at then excluded.due_at else tasks.due_at end, "attempts" = case when tasks.lease_until is null then tasks.attempts else 0 end
  where tasks.lease_until is not null or excluded.due_at < tasks.due_at;

-- store/tasks/claim-tasks.ts: claimTasks (SQLite)
-- No site: the runner serves all sites.
with "due" as (select "task_id"
  from "tasks"
  where parked = 0 and lane = 0 and "due_at" <= ? and ("lease_until" is null or "lease_until" <= ?)
  order by "due_at", "task_id"
  limit ?) update "tasks"
  set "leased_by" = ?, "lease_until" = ?, "fence" = "fence" + ?, "attempts" = "attempts" + ?
  where "task_id" in (select "due"."task_id"
  from "due")
  returning "task_id", "name", "payload", "site_id", "key", "due_at", "attempts", "fence", "cause_id", "lane";
-- store/tasks/claim-tasks.ts: claimTasks (PostgreSQL)
-- No site: the runner serves all sites.
with "due" as (select "task_id"
  from "tasks"
  where parked = 0 and lane = 0 and "due_at" <= $1 and ("lease_until" is null or "lease_until" <= $2)
  order by "due_at", "task_id"
  limit $3
  for update skip locked) update "tasks"
  set "leased_by" = $4, "lease_until" = $5, "fence" = "fence" + $6, "attempts" = "attempts" + $7
  where "task_id" in (select "due"."task_id"
  from "due")
  returning "task_id", "name", "payload", "site_id", "key", "due_at", "attempts", "fence", "cause_id", "lane";

-- store/tasks/claim-tasks.ts: nextDue
-- No site: the runner serves all sites.
select "due_at"
  from "tasks"
  where parked = 0 and lane = 0 and ("lease_until" is null or "lease_until" <= ?)
  order by "due_at", "task_id"
  limit ?;
-- No site: the runner serves all sites.
select "due_at"
  from "tasks"
  where parked = 0 and lane = 1 and ("lease_until" is null or "lease_until" <= ?)
  order by "due_at", "task_id"
  limit ?;

-- store/tasks/hold-tasks.ts: endTasks (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;
-- store/tasks/hold-tasks.ts: endTasks (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;

-- store/tasks/hold-tasks.ts: extendLeases (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) update tasks
  set lease_until = ?
  where (task_id, fence) in (select task_id, fence
  from given)
  returning task_id;
-- store/tasks/hold-tasks.ts: extendLeases (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) update tasks
  set lease_until = cast($3 as bigint)
  where (task_id, fence) in (select task_id, fence
  from given)
  returning task_id;

-- store/tasks/hold-tasks.ts: finishTask (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;
-- store/tasks/hold-tasks.ts: finishTask (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;

-- store/tasks/hold-tasks.ts: finishTasks (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;
-- store/tasks/hold-tasks.ts: finishTasks (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) delete
  from tasks
  where (task_id, fence) in (select task_id, fence
  from given) and attempts > 0
  returning task_id;
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) update tasks
  set leased_by = null, lease_until = null, last_error = null
  where (task_id, fence) in (select task_id, fence
  from given) and attempts = 0
  returning task_id;

-- store/tasks/hold-tasks.ts: keepTask
-- No site: the runner serves all sites, and holds a task by its id and fence.
update "tasks"
  set "attempts" = case when attempts = 0 then "attempts" else cast(? as bigint) end
  where "task_id" = ? and "fence" = ?;

-- store/tasks/hold-tasks.ts: lockHeld (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) select tasks.task_id
  from given cross
  join tasks on given.task_id = tasks.task_id and given.fence = tasks.fence
  order by tasks.task_id;
-- store/tasks/hold-tasks.ts: lockHeld (PostgreSQL)
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) select tasks.task_id
  from given
  join tasks on given.task_id = tasks.task_id and given.fence = tasks.fence
  order by tasks.task_id
  for update of tasks;

-- store/tasks/hold-tasks.ts: parkTask
-- No site: the runner serves all sites, and holds a task by its id and fence.
update "tasks"
  set "parked" = case when attempts = 0 then "parked" else cast(? as bigint) end, "last_error" = ?, "leased_by" = ?, "lease_until" = ?
  where "task_id" = ? and "fence" = ?;

-- store/tasks/hold-tasks.ts: postponeTask
-- No site: the runner serves all sites, and holds a task by its id and fence.
update "tasks"
  set "due_at" = case when attempts = 0 then "due_at" else cast(? as bigint) end, "attempts" = ?, "last_error" = ?, "leased_by" = ?, "lease_until" = ?
  where "task_id" = ? and "fence" = ?;

-- store/tasks/hold-tasks.ts: postponeTasks (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence, due_at) as (values (cast(? as bigint), cast(? as bigint), cast(? as bigint))) update tasks
  set due_at = case when tasks.attempts = 0 then tasks.due_at else given.due_at end, attempts = 0, last_error = null, leased_by = null, lease_until = null
  from given
  where tasks.task_id = given.task_id and tasks.fence = given.fence and tasks.task_id in (select task_id
  from given);
-- store/tasks/hold-tasks.ts: postponeTasks (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence, due_at) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]), cast(cast($3 as text) as bigint[]))) update tasks
  set due_at = case when tasks.attempts = 0 then tasks.due_at else given.due_at end, attempts = 0, last_error = null, leased_by = null, lease_until = null
  from given
  where tasks.task_id = given.task_id and tasks.fence = given.fence;

-- store/tasks/hold-tasks.ts: releaseTasks (SQLite)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (values (cast(? as bigint), cast(? as bigint))) update tasks
  set leased_by = null, lease_until = null, attempts = case when attempts = 0 then 0 else attempts - 1 end
  where (task_id, fence) in (select task_id, fence
  from given);
-- store/tasks/hold-tasks.ts: releaseTasks (PostgreSQL)
-- No site: the runner serves all sites, and holds a task by its id and fence.
with given(task_id, fence) as (select *
  from unnest(cast(cast($1 as text) as bigint[]), cast(cast($2 as text) as bigint[]))) update tasks
  set leased_by = null, lease_until = null, attempts = case when attempts = 0 then 0 else attempts - 1 end
  where (task_id, fence) in (select task_id, fence
  from given);

-- store/tasks/hold-tasks.ts: rescheduleTask
-- No site: the runner serves all sites, and holds a task by its id and fence.
update "tasks"
  set "due_at" = ?, "attempts" = ?, "last_error" = ?, "leased_by" = ?, "lease_until" = ?
  where "task_id" = ? and "fence" = ?;

-- store/tasks/hold-tasks.ts: retryTask
-- No site: the runner serves all sites, and holds a task by its id and fence.
update "tasks"
  set "due_at" = case when attempts = 0 then "due_at" else cast(? as bigint) end, "last_error" = ?, "attempts" = case when attempts = 0 then "attempts" else cast(? as bigint) end, "leased_by" = ?, "lease_until" = ?
  where "task_id" = ? and "fence" = ?;

-- store/tasks/periodic-tasks.ts: addPeriodicTasks
-- No site: periodic tasks are the hub's own.
insert into "tasks" ("name", "payload", "key", "due_at", "attempts", "parked", "lane", "fence", "cause_id", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("key") do update
  set "due_at" = case when excluded.due_at < tasks.due_at then excluded.due_at else tasks.due_at end, "attempts" = case when tasks.parked = 1 then 0 else tasks.attempts end, "parked" = ?
  where ("tasks"."parked" = ? or "excluded"."due_at" < "tasks"."due_at");

-- store/tasks/reschedule-groups.ts: bringForward
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "due_at" = "due_at" - (?);

-- store/tasks/reschedule-groups.ts: deferTasks
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "due_at" = ?
  where "key" >= ? and "key" < ? and "parked" = ? and "due_at" <= ? and "lease_until" is null;

-- store/tasks/reschedule-groups.ts: hastenTasks
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "due_at" = ?, "attempts" = case when tasks.lease_until is null then tasks.attempts else 0 end
  where "key" >= ? and "key" < ? and "parked" = ?;

-- store/tasks/reschedule-groups.ts: recallTasks
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "due_at" = ?
  where "key" >= ? and "key" < ? and "due_at" = ?;

-- store/tasks/reschedule-groups.ts: unparkKey
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "parked" = ?, "attempts" = ?, "due_at" = ?
  where "key" = ? and "parked" = ?;

-- store/tasks/reschedule-groups.ts: unparkTasks
-- No site: the runner serves all sites, and the key of a task holds random ids.
update "tasks"
  set "parked" = ?, "attempts" = ?, "due_at" = ?
  where "name" = ? and "parked" = ?;

-- store/tasks/retry-by-hand.ts: countRetries
select count(*) as "count"
  from "tasks"
  where parked = 1 and task_id > ? and task_id <= ? and site_id = ?;
-- No site: an operator counts all.
select count(*) as "count"
  from "tasks"
  where parked = 0 and due_at > ? and lease_until is null and task_id > ? and task_id <= ? and name = ?;

-- store/tasks/retry-by-hand.ts: lockTask (SQLite)
select *, case when parked = 1 then 'parked' when lease_until > ? then 'running' when lease_until is not null then 'lost' when due_at <= ? then 'due' else 'later' end as "state"
  from "tasks"
  where "task_id" = ? and "site_id" = ?;
-- No site: an operator retries any.
select *, case when parked = 1 then 'parked' when lease_until > ? then 'running' when lease_until is not null then 'lost' when due_at <= ? then 'due' else 'later' end as "state"
  from "tasks"
  where "task_id" = ?;
-- store/tasks/retry-by-hand.ts: lockTask (PostgreSQL)
select *, case when parked = 1 then 'parked' when lease_until > $1 then 'running' when lease_until is not null then 'lost' when due_at <= $2 then 'due' else 'later' end as "state"
  from "tasks"
  where "task_id" = $3 and "site_id" = $4 for update;
-- No site: an operator retries any.
select *, case when parked = 1 then 'parked' when lease_until > $1 then 'running' when lease_until is not null then 'lost' when due_at <= $2 then 'due' else 'later' end as "state"
  from "tasks"
  where "task_id" = $3 for update;

-- store/tasks/retry-by-hand.ts: makeDue
-- No site: by ids that this transaction has just locked.
update "tasks"
  set "parked" = ?, "attempts" = ?, "due_at" = ?
  where "task_id" in (?)
  returning "task_id", "name", "payload", "site_id";

-- store/tasks/retry-by-hand.ts: retrySome (SQLite)
select "task_id"
  from "tasks"
  where parked = 1 and task_id > ? and task_id <= ? and site_id = ?
  order by "task_id"
  limit ?;
-- No site: an operator retries any.
update "tasks"
  set "parked" = ?, "attempts" = ?, "due_at" = ?
  where "task_id" in (?)
  returning "task_id", "name", "payload", "site_id";
-- No site: an operator retries any.
select "task_id"
  from "tasks"
  where parked = 0 and due_at > ? and lease_until is null and task_id > ? and task_id <= ? and name = ?
  order by "task_id"
  limit ?;
-- store/tasks/retry-by-hand.ts: retrySome (PostgreSQL)
select "task_id"
  from "tasks"
  where parked = 1 and task_id > $1 and task_id <= $2 and site_id = $3
  order by "task_id"
  limit $4 for update;
-- No site: an operator retries any.
update "tasks"
  set "parked" = $1, "attempts" = $2, "due_at" = $3
  where "task_id" in ($4)
  returning "task_id", "name", "payload", "site_id";
-- No site: an operator retries any.
select "task_id"
  from "tasks"
  where parked = 0 and due_at > $1 and lease_until is null and task_id > $2 and task_id <= $3 and name = $4
  order by "task_id"
  limit $5 for update;

-- store/tasks/retry-by-hand.ts: selectLastTask
-- No site: a number that counts over all sites.
select max("task_id") as "last"
  from "tasks";

-- store/throttle-rows.ts: pruneThrottle
-- No site: the hub's own table: calls a second by address.
delete
  from "buckets"
  where "arrives_at" < ?;

-- store/throttle-rows.ts: takeShared
-- No site: the hub's own table: calls a second by address.
insert into "buckets" ("address", "arrives_at")
  values (?, ?)
  on conflict ("address") do update
  set "arrives_at" = case when ("buckets"."arrives_at" > ? and "buckets"."arrives_at" <= ?) then "buckets"."arrives_at" + ? else 2 end
  where ("buckets"."arrives_at" <= ? or "buckets"."arrives_at" > ?)
  returning "arrives_at";
-- No site: the hub's own table: calls a second by address.
select "arrives_at"
  from "buckets"
  where "address" = ?;
