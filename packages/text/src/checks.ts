export { type CheckFinding, checkText, type Languages } from './checks/check-text.ts'
export {
  checkTexts,
  comparedChecks,
  compareUnits,
  type Severities,
  severityOf,
  type TextUnit,
  type UnitFindings,
  withSeverities,
} from './checks/check-texts.ts'
export {
  type CheckedDelivery,
  type DeliveryRules,
  judgeCheckedFields,
  judgeCheckedFile,
} from './checks/judge-texts.ts'
export { languageOf } from './checks/language.ts'
export { linksIn } from './checks/links.ts'
export { compareNumbers } from './checks/numbers.ts'
export { lettersIn, wordsIn } from './checks/read-text.ts'
export type { TextPair } from './checks/rule.ts'
export { termSentences, termSentencesInTurns, textOf } from './checks/term-sentences.ts'
