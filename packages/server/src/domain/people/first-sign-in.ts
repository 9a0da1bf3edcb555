/**
 * How the first person gets in (outside the sandbox): by a link that the hub prints at start as
 * long as there is nobody, or as an admin from the configuration. There is no default password, and
 * the first visitor does not own the hub.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { readHubState, writeHubState } from '../../store/hub-state.ts'
import { hubItself, recordActs } from '../access/audit/record-acts.ts'
import { noSite } from '../access/caller.ts'
import { firstSiteName, firstSiteOf } from '../access/sites.ts'
import type { SiteRoles } from './describe-person.ts'
import { addFirstRoles } from './give-roles.ts'
import { linkUrl, makeLink } from './links.ts'
import { newPerson, plainEmail } from './new-person.ts'
import * as rows from './person-rows.ts'
import { demoPersonId } from './sessions.ts'

export const firstLinkFile = (data: string): string => join(data, 'first-sign-in.txt')

/**
 * Returns the link, if nobody can sign in yet. It is also written to a file that only the hub's
 * user can read.
 */
export async function prepareFirstSignIn(hub: Hub, publicUrl: string): Promise<string | undefined> {
  if (hub.config.profile === 'sandbox') return undefined
  await addConfiguredAdmin(hub)
  if (await rows.hasPeople(hub.db.read)) return undefined
  const link = await hub.db.transact(async (tx) =>
    makeLink(hub, tx, { sites: await firstRoles(tx) }),
  )
  const url = linkUrl(publicUrl, link)
  const path = firstLinkFile(hub.config.data)
  await writeLink(path, url).catch((error: unknown) =>
    hub.log.warn({ err: error, path }, 'the first sign-in link could not be written to its file'),
  )
  return url
}

/** The folder may not exist yet: with PostgreSQL and files elsewhere nothing else is kept in it. */
async function writeLink(path: string, url: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rm(path, { force: true })
  await writeFile(path, `${url}\n`, { mode: 0o600, flag: 'wx' })
}

/** Somebody has signed in, so the file is no longer needed. */
export async function forgetFirstLink({ config, log }: Hub): Promise<void> {
  await rm(firstLinkFile(config.data), { force: true }).catch((error: unknown) =>
    log.warn({ err: error }, 'the file of the first sign-in link could not be removed'),
  )
}

/** The first person administers the oldest site, or a new one, and the hub. */
const firstRoles = async (tx: Db): Promise<SiteRoles[]> => [
  { siteId: noSite, roles: ['operator'] },
  { siteId: (await firstSiteOf(tx)) ?? firstSiteName, roles: ['admin'] },
]

/** Runs once and is recorded: an admin that was removed does not return at the next start. */
async function addConfiguredAdmin(hub: Hub): Promise<void> {
  const { admin } = hub.config
  if (!admin) return
  const email = plainEmail(admin.email)
  const note = `admin from the configuration ${email}`
  if ((await readHubState(hub.db.read, note)) === 'yes') return
  await hub.db.transact(async (tx) => {
    await writeHubState(tx, note, 'yes')
    const person = newPerson(hub, { name: email, email, password_hash: admin.passwordHash })
    if (!(await rows.insertPerson(tx, person))) return
    const acts = await addFirstRoles(hub, tx, person, await firstRoles(tx))
    await recordActs(hub, tx, hubItself(), acts)
  })
}

/** The sandbox opens as this person. Does nothing if there is one. */
export async function addDemoPerson(hub: Hub, siteId: string): Promise<void> {
  if (await rows.personById(hub.db.read, demoPersonId)) return
  await hub.db.transact(async (tx) => {
    const person = {
      ...newPerson(hub, { name: 'Demo admin', email: null }),
      person_id: demoPersonId,
    }
    if (!(await rows.insertPerson(tx, person))) return
    const sites: SiteRoles[] = [
      { siteId, roles: ['admin'] },
      { siteId: noSite, roles: ['operator'] },
    ]
    await recordActs(hub, tx, hubItself(), await addFirstRoles(hub, tx, person, sites))
  })
}
