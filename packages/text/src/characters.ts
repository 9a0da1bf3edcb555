export { compose } from './characters/compose.ts'
export { withoutCase } from './characters/without-case.ts'
