/**
 * Every table of the hub, typed once for both databases; `tables/` has a file for each wing. Times
 * are integer milliseconds, booleans 0 or 1, JSON is text: types that SQLite and PostgreSQL bind
 * alike. An optional fact is null here and absent on the wire.
 */
import type { AccessTables } from './tables/access.ts'
import type { DeskTables } from './tables/desk.ts'
import type { EnginesTables } from './tables/engines.ts'
import type { FilesTables } from './tables/files.ts'
import type { HandoverTables } from './tables/handover.ts'
import type { JobsTables } from './tables/jobs.ts'
import type { LanguageTables } from './tables/language.ts'
import type { ListenersTables } from './tables/listeners.ts'
import type { OperationsTables } from './tables/operations.ts'
import type { PeopleTables } from './tables/people.ts'
import type { SettingsTables } from './tables/settings.ts'
import type { UpstreamTables } from './tables/upstream.ts'
import type { ViewsTables } from './tables/views.ts'

export type Tables = AccessTables &
  PeopleTables &
  FilesTables &
  ListenersTables &
  SettingsTables &
  LanguageTables &
  EnginesTables &
  JobsTables &
  HandoverTables &
  DeskTables &
  UpstreamTables &
  ViewsTables &
  OperationsTables

export type * from './tables/access.ts'
export type * from './tables/columns.ts'
export type * from './tables/desk.ts'
export type * from './tables/engines.ts'
export type * from './tables/files.ts'
export type * from './tables/handover.ts'
export type * from './tables/jobs.ts'
export type * from './tables/language.ts'
export type * from './tables/listeners.ts'
export type * from './tables/operations.ts'
export type * from './tables/people.ts'
export type * from './tables/settings.ts'
export type * from './tables/upstream.ts'
export type * from './tables/views.ts'
