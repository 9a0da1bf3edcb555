/**
 * The examples of @dragoman/text: the blocks of its README, and each `@example` of its sources. A
 * comment behind `console.log(…)` is what the line prints.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../packages/text')
const sources = readdirSync(join(folder, 'src/public')).filter((name) => !name.includes('.test.'))

export type TextExample = {
  readonly name: string
  readonly code: string
  /** What its lines print; undefined for a line that does not say. */
  readonly prints: readonly (string | undefined)[]
}

const exampleOf = (name: string, code: string): TextExample => ({
  name,
  code,
  prints: [...code.matchAll(/console\.log\(.*\)(?: \/\/ (.*))?$/gm)].map(([, says]) => says),
})

/** Everything that the package exports, with its comment. */
export function documented(): { readonly name: string; readonly comment: string }[] {
  const index = readFileSync(join(folder, 'src/index.ts'), 'utf8')
  const exported = new Set(index.match(/\w+/g))
  return sources.flatMap((file) => {
    const text = readFileSync(join(folder, 'src/public', file), 'utf8')
    const found = text.matchAll(
      /(\/\*\*(?:(?!\*\/)[\s\S])*?\*\/)?\n?export (?:async )?(?:function|const|type) (\w+)/g,
    )
    return [...found]
      .map(([, comment = '', name = '']) => ({ name, comment }))
      .filter(({ name }) => exported.has(name))
  })
}

export function textExamples(): TextExample[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  return [
    ...[...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ''], at) =>
      exampleOf(`README-${at + 1}`, code),
    ),
    ...documented().flatMap(({ name, comment }) => {
      const code = /@example\n([\s\S]*?)\*\/$/.exec(comment)?.[1]
      return code === undefined ? [] : [exampleOf(name, code.replaceAll(/^ \* ?/gm, ''))]
    }),
  ]
}
