export { checkText } from './checks/check-text.ts'
export { countParts } from './counting/count-words.ts'
export { readFile, writeFile } from './formats/whole-files.ts'
