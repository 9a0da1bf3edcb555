/**
 * Judges a connector by the calls that the sandbox received (docs/certification.md): rounds in,
 * verdicts and reports out. Pure, so that `dragoman certify` and POST /sandbox/certify give the
 * same verdicts.
 */
export { advice } from './advice.ts'
export { badge } from './badge.ts'
export { judgeScenarios } from './judge-scenarios.ts'
export { judgeLog, judgeObligations } from './obligations.ts'
export { htmlReport, isPassed, junitReport, type Report, textReport } from './report.ts'
export type { Answered, SeenCall, SeenDelivery, SeenUpdate, Sent } from './seen.ts'
export { endsRound, plain, type Round } from './verdict.ts'
