/** What each group of calls is about, for the OpenAPI document. */
import type { Tag } from './row.ts'

export const tagSays: Readonly<Record<Exclude<Tag, 'Console'> | 'Token', string>> = {
  Token: 'Exchange the credentials of a client for a token, and revoke it.',
  Providers: 'The translation providers of a site, and what each can do.',
  Jobs: 'Create, find, change, submit, complete and archive translation jobs.',
  Requests:
    'The content of a job, one request for each item and target language, and its translations.',
  FileTransfer: 'Upload source files and download them again.',
  SupportAssets: 'Files that help translators, such as references and glossaries.',
  TranslationMemory: 'Updates of the translation memory, as TMX files.',
  StatusUpdates: 'What has changed, listed until you acknowledge it.',
  Listeners: 'URLs that the hub calls when something changes, and the deliveries to them.',
  ProviderSide: 'What a translation provider does: retrieve jobs, deliver translations.',
  Desk: 'Work on translations: segments, checks, terms and matches.',
  Settings: 'Analysis codes, price lists and format options of a site.',
  Quota: 'The limits of a site and how much of each is used.',
  Operating: 'Clients, people, sites, tasks, logs, findings and reports, for admins and operators.',
}
