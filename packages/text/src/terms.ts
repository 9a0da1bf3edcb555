export { type ListedTerm, refuseList } from './terms/listed-term.ts'
export {
  entriesFor,
  type KnownTerm,
  openTerms,
  type TermHit,
  type TermMatcher,
} from './terms/open-terms.ts'
export { readTbx } from './terms/read-tbx.ts'
export { readTermCsv } from './terms/read-term-csv.ts'
export {
  columnsOf,
  faultOf,
  normalTerm,
  spelledLanguage,
  type TermContent,
} from './terms/term-content.ts'
export { languageOf } from './terms/word-forms.ts'
export { csvForm, type ListForm, tbxForm } from './terms/write-terms.ts'
