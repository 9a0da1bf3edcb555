/** The finder of each rule: a rule of the contract's table without one does not compile. */
import type { FindingRule } from '@dragoman/contract'
import type { Finder, Finders } from './finder.ts'
import { hubRules } from './hub-rules.ts'
import { jobRules } from './job-rules.ts'
import { quotaRules } from './quota-rules.ts'
import { storedRules } from './stored-rules.ts'
import { workRules } from './work-rules.ts'

const all: Finders<FindingRule> = {
  ...workRules,
  ...jobRules,
  ...quotaRules,
  ...hubRules,
  ...storedRules,
}

/**
 * By a rule that is only known at run time: its facts fit its own sentence, which the compiler has
 * checked above.
 */
export const finders = all as unknown as Readonly<Record<FindingRule, Finder>>
