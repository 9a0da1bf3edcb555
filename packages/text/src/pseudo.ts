export { pseudoNamedFile, pseudoStrings, pseudoWithRemarks } from './pseudo/pseudo-file.ts'
export { pseudoString } from './pseudo/pseudo-text.ts'
