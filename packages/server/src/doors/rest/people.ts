/** Handlers of people and their sessions, one line each. */
import {
  changePerson,
  createPerson,
  deletePerson,
  findPerson,
  linkPerson,
  listPeople,
} from '../../domain/people/people.ts'
import { endSession, listSessions } from '../../domain/people/sessions.ts'
import type { Handlers } from './bind.ts'

export const peopleHandlers = {
  listPeople: (hub, call, { query }) => listPeople(hub, call, query),
  createPerson: (hub, call, { body }, { publicUrl }) => createPerson(hub, call, body, publicUrl),
  findPerson: (hub, call, { params }) => findPerson(hub, call, params.personId),
  changePerson: (hub, call, { params, body }) => changePerson(hub, call, params.personId, body),
  deletePerson: (hub, call, { params }) => deletePerson(hub, call, params.personId),
  linkPerson: (hub, call, { params }, { publicUrl }) =>
    linkPerson(hub, call, params.personId, publicUrl),
  listSessions: (hub, call, { query }) => listSessions(hub, call, query),
  endSession: (hub, call, { params }) => endSession(hub, call, params.sessionId),
} satisfies Partial<Handlers>
