/**
 * No regular expression over text from outside without a bound: every one in the sources is linear
 * by the rules of judge-regex.ts, or stands in this list with the reason why it may be there all
 * the same.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { endpoints } from '@dragoman/contract'
import { describe, expect, it, test } from 'vitest'
import { listProviderTypes } from '../../packages/server/src/domain/engines/provider-types.ts'
import { type FoundRegex, findRegexes } from './find-regexes.ts'
import { judgeRegex } from './judge-regex.ts'

type Excepted = { readonly file: string; readonly has: string; readonly because: string }

/** `has` is a part of the expression, or of the line where it is put together. */
const excepted: readonly Excepted[] = [
  {
    file: 'server/src/process/source-lines.ts',
    has: '(file:',
    because: 'bounded: for each address, at most a thousand characters are looked at again.',
  },
  {
    file: 'server/src/process/source-lines.ts',
    has: '[^/]*$',
    because: 'the address of the file itself; no text of a caller reaches it.',
  },
  {
    file: 'server/src/domain/people/oidc-claims.ts',
    has: 'emailPattern',
    because:
      'held at both ends; its two repetitions are bounded and cannot hold the @ between them.',
  },
  {
    file: 'text/src/formats/csv/csv-cells.ts',
    has: "days.join('|')",
    because:
      'bounded repetitions, held at both ends; cells of 64 characters at most are looked at.',
  },
  {
    file: 'text/src/formats/markdown/toml-values.ts',
    has: 'dotted',
    because:
      'sticky, at the beginning of a line; its repetitions are bounded and begin with another character each.',
  },
  {
    file: 'text/src/formats/subtitles/subtitles.ts',
    has: 'time}',
    because: 'held at the beginning of a line; every repetition is bounded.',
  },
  {
    file: 'text/src/formats/subtitles/subtitles.ts',
    has: 'RegExp(',
    because: 'held at the beginning of a line; every repetition is bounded.',
  },
  {
    file: 'docs/src/reference/samples/sample-of.ts',
    has: "pattern, 'u'",
    because:
      'a pattern of our own schemas over a sample value of ours; no text of a caller reaches it.',
  },
  {
    file: 'sdk/src/connect.ts',
    has: '\\/+$',
    because:
      'the address of the hub, which its own developer configures; some browsers cannot look behind.',
  },
  {
    file: 'server/src/doors/http/redact.ts',
    has: '-----BEGIN',
    because:
      'what begins a key runs to its end or to that of the text, and so never fails; 64 KiB are looked at.',
  },
  {
    file: 'server/src/doors/http/redact.ts',
    has: "secretWord, 'i'",
    because: 'words without a repetition.',
  },
  {
    file: 'server/src/process/secret-names.ts',
    has: "secretWord, 'i'",
    because: 'words without a repetition.',
  },
  {
    file: 'server/src/doors/http/redact.ts',
    has: '|sig|x-amz',
    because: 'bounded but at its end; 64 KiB are looked at.',
  },
  {
    file: 'server/src/doors/http/redact.ts',
    has: '[:=>]',
    because: 'bounded but at its end; 64 KiB are looked at.',
  },
  {
    file: 'server/src/doors/http/redact.ts',
    has: '[^<>]{0,80}',
    because: 'bounded but at its end; 64 KiB are looked at.',
  },
  {
    file: 'server/src/doors/http/http-app.ts',
    has: 'limits.traceIdCharacters',
    because: 'one class, bounded, held at both ends.',
  },
  {
    file: 'server/src/doors/http/known-routes.ts',
    has: "'[^/]+'",
    because: 'held at both ends; parts between slashes have none.',
  },
  {
    file: 'server/src/doors/pages/stored-pages.ts',
    has: '\\ue000',
    because: 'pages that the build wrote; no text of a caller reaches it.',
  },
  {
    file: 'server/src/doors/soap/xml-tree.ts',
    has: "special, 'g'",
    because: 'one class, no repetition.',
  },
  {
    file: 'server/src/domain/engines/metadata-schema.ts',
    has: "pattern, 'u'",
    because:
      'a pattern that an admin gives: checked for its form, tried on hard texts, and run under a time limit.',
  },
  {
    file: 'server/src/domain/engines/drivers/answer-language.ts',
    has: 'letterSets',
    because: 'one class of characters, of a script that the platform names.',
  },
  {
    file: 'server/src/domain/engines/schema-rules.ts',
    has: "pattern, 'u'",
    because: 'the same pattern, made to see whether it is one; it runs over nothing.',
  },
  {
    file: 'server/src/validation/check-text.ts',
    has: "pattern, 'u'",
    because: 'a pattern of our own schemas: the test below holds every one of them.',
  },
  {
    file: 'server/src/validation/check-text.ts',
    has: "oneLine, 'u'",
    because: 'one repetition of one class, held at both ends.',
  },
  {
    file: 'text/src/placeholders/protect.ts',
    has: 'kinds.map',
    because: 'every repetition is bounded; the tests of growth hold it.',
  },
  {
    file: 'cli/src/connector/output-pattern.ts',
    has: "text.join('')",
    because:
      'the pattern of the developer who runs the command, over the paths of their own project.',
  },
  {
    file: 'docs/src/changes/compare-schemas.ts',
    has: "pattern, 'u'",
    because: 'a pattern of our own schemas, over values of our own.',
  },
]

const packages = join(import.meta.dirname, '../../packages')
const sources = ['server', 'text', 'contract', 'sdk', 'certify', 'docs', 'cli'].flatMap((name) =>
  filesIn(join(packages, name, 'src')),
)

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => join(folder, name))
}

type Placed = FoundRegex & { readonly file: string }
const all: readonly Placed[] = sources.flatMap((path) => {
  const file = relative(packages, path).replaceAll('\\', '/')
  return findRegexes(readFileSync(path, 'utf8')).map((found) => ({ ...found, file }))
})
const isExcepted = ({ file, source }: Placed): boolean =>
  excepted.some((one) => one.file === file && source.includes(one.has))

describe('the regular expressions of the sources', () => {
  it('are all found', () => {
    expect(all.length).toBeGreaterThan(250)
    for (const { source, flags, built } of all)
      if (!built) expect(() => new RegExp(source, flags)).not.toThrow()
  })

  it('are linear, or stand in the list with a reason', () => {
    const wrong = all
      .filter((one) => !isExcepted(one))
      .flatMap((one) => {
        const says = one.built
          ? ['it is put together; say why it is linear']
          : judgeRegex(one.source, one.flags)
        return says.map((why) => `${one.file}:${one.line} ${one.source}: ${why}`)
      })
    expect(wrong).toEqual([])
  })

  it('need every exception that is made', () => {
    const idle = excepted.filter(
      ({ file, has }) => !all.some((one) => one.file === file && one.source.includes(has)),
    )
    expect(idle).toEqual([])
    const good = all.filter(
      (one) => isExcepted(one) && !one.built && judgeRegex(one.source, one.flags).length === 0,
    )
    expect(good).toEqual([])
  })
})

test('every pattern of a schema that a caller is held against is linear', () => {
  const patterns = new Set<string>()
  const gather = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, inner] of Object.entries(node)) {
      if (name === 'pattern' && typeof inner === 'string') patterns.add(inner)
      if (name === 'patternProperties' && inner)
        for (const key of Object.keys(inner)) patterns.add(key)
      gather(inner)
    }
  }
  gather(endpoints)
  gather(listProviderTypes())
  expect(patterns.size).toBeGreaterThan(8)
  const wrong = [...patterns].flatMap((pattern) =>
    judgeRegex(pattern, 'u').map((why) => `${pattern}: ${why}`),
  )
  expect(wrong).toEqual([])
})

describe('the rules', () => {
  test.each([
    ['^\\s*"?([^"]*)"?\\s*$', 'a stretch shared by three'],
    ['^\\+?(\\d+\\.?\\d*|\\.\\d+)$', 'something left out between two alike'],
    ['^\\s*(\\d{0,15})\\s*-', 'the same with a bound'],
    ['(a+)+$', 'a repetition of a repetition'],
    ['^(a|a)*$', 'alternatives alike'],
    ['^(a|ab)*c*$', 'alternatives that begin alike'],
    ['^(a{1,3})*$', 'short ones repeated'],
    ['^(a{1,3}){1,40}b', 'short ones repeated, with a bound'],
    ['(a?)*$', 'an empty thing repeated'],
    ['\\s+$', 'a search that begins in every blank'],
    ['x*y', 'a search that begins in every x'],
    ['<[^>]*>', 'a search that begins at every bracket of a text of brackets'],
    ['^.*,.*,.*$', 'two commas among anything'],
    ['a(?=b*c)', 'a long look ahead'],
    ['^[ab]*c?[bd]*$', 'two that share one letter'],
    ['/\\*.*?\\*/', 'an opening that is found in what follows it'],
    [
      '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$',
      'host names as they stand in books',
    ],
  ])('%s is refused: %s', (pattern) => expect(judgeRegex(pattern, '')).not.toEqual([]))

  test.each([
    '^\\s*application\\/json\\s*(;[^,]*)?$',
    '^[A-Za-z0-9_-]{1,64}$',
    '^Bearer +([^\\s]+) *$',
    '(?<!\\/)\\/+$',
    '\\{(\\w+)\\}',
    '<[^<>]*>',
    '"(?:[^"\\\\])*"',
    '^([^"\\\\]|\\\\.)*$',
    '[?#][\\s\\S]*$',
    '^(\\d{4})-(\\d{2})(T\\d{2})?$',
    '\\s([^\\s=/>"\']+)\\s*=\\s*(?:"([^"]*)"|\'([^\']*)\')',
    '[&<>]',
  ])('%s is let through', (pattern) => expect(judgeRegex(pattern, '')).toEqual([]))

  it('what stands in comments, texts and divisions is no regular expression', () => {
    const text = [
      'const a = b / c / d // /x+/',
      "const s = '/y+/' + `/z+/$" + '{q / 2 / 3}`',
      'f(/real+/gi, a[0] / 2, `$' + '{/in/.test(s)}`)',
    ].join('\n')
    expect(findRegexes(text).map(({ source, flags, line }) => [source, flags, line])).toEqual([
      ['real+', 'gi', 3],
      ['in', '', 3],
    ])
  })
})
