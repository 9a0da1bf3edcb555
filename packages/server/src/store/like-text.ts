/**
 * Whether a column contains a text, or begins with it, ignoring case. Case is folded here, letter
 * by letter, because the databases fold it differently; both match one of several letters at a place
 * (GLOB, a regular expression).
 */

import { compose } from '@dragoman/text/characters'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './database.ts'
import { isPostgres } from './lock.ts'

export function likeText(
  db: Db,
  column: string,
  text: string,
  from: 'start' | 'anywhere',
): RawBuilder<SqlBool> {
  const letters = [...compose(text)].map((letter) => casesOf(letter))
  const name = sql.ref(column)
  if (isPostgres(db)) {
    const pattern = letters.map((cases) => `[${cases.map(escaped).join('')}]`).join('')
    return sql<SqlBool>`${name} ~ ${from === 'start' ? `^${pattern}` : pattern}`
  }
  // A set cannot hold a closing bracket unless it comes first; a caret must not come first.
  const pattern = letters.map((cases) => (cases[0] === '^' ? '^' : `[${cases.join('')}]`)).join('')
  return sql<SqlBool>`${name} glob ${from === 'start' ? `${pattern}*` : `*${pattern}*`}`
}

/** The letter in both cases, without those that are spelt with several letters. */
const casesOf = (letter: string): string[] =>
  [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(
    (one) => [...one].length === 1,
  )

/** What has a meaning between brackets. */
const escaped = (letter: string): string => (/[\\\]^[-]/.test(letter) ? `\\${letter}` : letter)
