/**
 * Contract, section 12: people and their sessions. Admins see those of their site, operators those
 * of every site.
 */

import {
  InvitedPerson,
  NewPerson,
  PeopleQuery,
  Person,
  PersonChange,
  PersonLink,
  PersonSession,
  SessionsQuery,
} from '../schemas/console/person.ts'
import { path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const people = { tag: 'Operating', scope: ['admin', 'operator'], answers: Person } as const
const one = { ...people, params: path('personId') } as const

export const peopleEndpoints = rows({
  listPeople: {
    ...people,
    call: 'GET /people',
    says: 'List the people of the site, newest first; for an operator, those of all sites',
    query: PeopleQuery,
    collection: 'people',
    fails: [],
  },
  createPerson: {
    ...people,
    confirm: true,
    call: 'POST /people',
    says: 'Add a person; only this response shows the link for the first sign-in',
    body: NewPerson,
    answers: InvitedPerson,
    status: 201,
    fails: ['PERSON_EXISTS', 'SITE_NOT_FOUND', 'SITE_REMOVED'],
  },
  findPerson: {
    ...one,
    call: 'GET /people/{personId}',
    says: 'Read a person',
    fails: ['PERSON_NOT_FOUND'],
  },
  changePerson: {
    ...one,
    confirm: true,
    call: 'PATCH /people/{personId}',
    says: 'Change the name, address or roles of a person, or disable them, which ends their sessions',
    body: PersonChange,
    fails: [
      'PERSON_NOT_FOUND',
      'PERSON_EXISTS',
      'PERSON_SHARED',
      'OWN_ACCESS',
      'SITE_NOT_FOUND',
      'SITE_REMOVED',
    ],
  },
  deletePerson: {
    ...one,
    confirm: true,
    call: 'DELETE /people/{personId}',
    says: 'Remove all roles that a person has on the site; a person without any role left is removed',
    fails: ['PERSON_NOT_FOUND', 'OWN_ACCESS'],
  },
  linkPerson: {
    ...one,
    confirm: true,
    call: 'POST /people/{personId}/link',
    says: 'Create a link that lets the person set a new password or passkey; earlier links stop working',
    answers: PersonLink,
    fails: ['PERSON_NOT_FOUND', 'PERSON_SHARED'],
  },
  listSessions: {
    tag: 'Operating',
    scope: ['admin', 'operator'],
    call: 'GET /sessions',
    says: 'List the open console sessions of people of the site, newest first; for an operator, all of them',
    query: SessionsQuery,
    answers: PersonSession,
    collection: 'sessions',
    fails: [],
  },
  endSession: {
    tag: 'Operating',
    scope: ['admin', 'operator'],
    call: 'DELETE /sessions/{sessionId}',
    says: 'End a console session immediately',
    params: path('sessionId'),
    answers: PersonSession,
    fails: ['SESSION_NOT_FOUND'],
  },
})
