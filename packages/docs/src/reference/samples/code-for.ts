/**
 * A sample call as code, with the standard library of each language or with our SDK. Every sample
 * runs as it is.
 */
import { csharpCode } from './code-csharp.ts'
import { curlCode } from './code-curl.ts'
import { javaCode } from './code-java.ts'
import { phpCode } from './code-php.ts'
import { pythonCode } from './code-python.ts'
import { sdkCode } from './code-sdk.ts'
import type { SampleCall } from './sample-call.ts'
import type { CodeOptions } from './written.ts'

export type { CodeOptions } from './written.ts'

const makers = {
  curl: curlCode,
  sdk: sdkCode,
  php: phpCode,
  python: pythonCode,
  csharp: csharpCode,
  java: javaCode,
} as const satisfies Record<string, (call: SampleCall, options: CodeOptions) => string>

export type CodeLanguage = keyof typeof makers
export const codeLanguages = Object.keys(makers) as CodeLanguage[]

export function codeFor(language: CodeLanguage, call: SampleCall, options: CodeOptions): string {
  return `${makers[language](call, options)}\n`
}
