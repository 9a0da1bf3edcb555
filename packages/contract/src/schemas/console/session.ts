/** Who is signed in to the console, and what they may do. */
import type { Static } from 'typebox'
import { choice, Time } from '../parts.ts'
import Type from '../type.ts'
import { roles } from './role.ts'

export const SiteRoles = Type.Object(
  {
    siteId: Type.String({ description: 'Empty for an operator, who belongs to no site.' }),
    roles: Type.Array(choice(roles)),
    providers: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The providers whose work translator, reviewer and provider-manager see.',
      }),
    ),
    languages: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The target languages of that work; all of them if absent.',
      }),
    ),
  },
  { title: 'SiteRoles' },
)

const Switch = (description: string) => Type.Optional(Type.Boolean({ description }))
/** Mail that a person may ask for; nothing is sent to those who did not. */
export const MailSwitches = Type.Object(
  {
    newWork: Switch('When work comes that you can claim, or that somebody gives you.'),
    rejected: Switch('When work of yours is rejected.'),
    dueTomorrow: Switch('In the morning, if work of yours is due on the next day.'),
    delivered: Switch('For managers: when translations of a job are delivered.'),
    late: Switch('For managers: in the morning, which jobs have become late.'),
    finished: Switch('For managers: when nothing of a job is open any more.'),
    question: Switch(
      'When somebody asks you or your team, and when a question of yours is answered.',
    ),
    digest: Switch('In the morning, how much work there is for you.'),
  },
  { title: 'MailSwitches' },
)
export type MailSwitches = Static<typeof MailSwitches>

export const Preferences = Type.Object(
  {
    language: Type.Optional(choice(['en', 'de', 'fr', 'es', 'ja', 'ar'])),
    zone: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'Such as Europe/Berlin.' }),
    ),
    theme: Type.Optional(choice(['light', 'dark', 'system'])),
    keys: Type.Optional(Type.Boolean({ description: 'Whether single letters are shortcuts.' })),
    mail: Type.Optional(MailSwitches),
  },
  { title: 'Preferences', description: 'What is left out follows the browser.' },
)
export type Preferences = Static<typeof Preferences>

export const Session = Type.Object(
  {
    person: Type.Object({ personId: Type.String(), name: Type.String() }),
    sites: Type.Array(SiteRoles),
    siteId: Type.String({
      description: 'The site of this call: that of the header x-dragoman-site, or the first.',
    }),
    allowed: Type.Array(Type.String(), {
      description: 'The names of the calls that their roles allow in this site.',
    }),
    preferences: Preferences,
    signsInBy: Type.Array(choice(['password', 'passkey', 'provider'])),
    confirmed: Type.Boolean({
      description: 'Confirmed in the last minutes: may change secrets and people.',
    }),
    connection: choice(['secure', 'plain'], {
      description: 'plain: over http, which the operator allows.',
    }),
    profile: choice(['sandbox', 'staging', 'production']),
    version: Type.String(),
    time: { ...Time, description: 'The hub’s clock.' },
    csrf: Type.String({ description: 'Send it as the header x-dragoman-csrf with every write.' }),
    position: Type.String({
      description: 'Of the event stream now: what is read from here on is newer.',
    }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>
