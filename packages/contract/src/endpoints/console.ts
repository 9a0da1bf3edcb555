/** The session of the person at the console. */
import { Session } from '../schemas/console/session.ts'
import { rows } from './row.ts'

export const sessionEndpoints = rows({
  findSession: {
    tag: 'Console',
    scope: 'any',
    call: 'GET /session',
    says: 'Read who is signed in, and what they may do',
    answers: Session,
    fails: [],
  },
})
