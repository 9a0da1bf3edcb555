/**
 * `dragoman work`: what a provider does with its jobs, from finding them to delivering their
 * translations.
 */
import { type Command, verbsOnly } from '../../command.ts'
import { deliver, put } from './deliver.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { release, take } from './take.ts'

const about = 'The client needs the scope provider. See docs/providers.md.\n'
const verbs: Readonly<Record<string, Command>> = { list, take, get, put, deliver, release }

export const work = verbsOnly(
  'work',
  'translate for a hub: list, take, get, put, deliver and release work',
  verbs,
  about,
)
