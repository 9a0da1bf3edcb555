/** Sample calls, and the code that sends them, for every row of the endpoint table. */
export { type CodeLanguage, type CodeOptions, codeFor, codeLanguages } from './code-for.ts'
export { sampleIds } from './ids.ts'
export { otherCalls, type SampleCall, type SampleName, sampleCall } from './sample-call.ts'
export { type SampleOptions, sampleOf } from './sample-of.ts'
