/** Who is signed in to the console, and what they may do. */
import type { Static } from 'typebox'
import { choice, Time } from './parts.ts'
import { roles } from './role.ts'
import Type from './type.ts'

export const SiteRoles = Type.Object(
  {
    siteId: Type.String({ description: 'Empty for an operator, who belongs to no site.' }),
    roles: Type.Array(choice(roles)),
  },
  { title: 'SiteRoles' },
)

export const Session = Type.Object(
  {
    person: Type.Object({ personId: Type.String(), name: Type.String() }),
    sites: Type.Array(SiteRoles),
    siteId: Type.String({ description: 'The site of this call: that of the header x-dragoman-site, or the first.' }),
    profile: choice(['sandbox', 'staging', 'production']),
    version: Type.String(),
    time: { ...Time, description: 'The hub’s clock.' },
    csrf: Type.String({ description: 'Send it as the header x-dragoman-csrf with every write.' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>
