export * from './detect.ts'
export { type FormatRow, headBytes } from './row.ts'
export * from './table.ts'
export * from './unknown.ts'
