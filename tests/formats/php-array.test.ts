/** PHP arrays: what is found, what is written, and what PHP reads in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phpArray } from '../../packages/text/src/formats/strings/php-array.ts'
import { answer, bytesOf, holdCases } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'

const php = (inner: string): string => `<?php\nreturn ${inner};\n`

describe('cases', () => {
  holdCases(phpArray, [
    {
      name: 'a text',
      source: php("['a' => 'one']"),
      texts: ['one'],
      written: php("['a' => 'ONE']"),
    },
    {
      name: 'the older way',
      source: php("array('a' => 'one', )"),
      texts: ['one'],
      written: php("array('a' => 'ONE', )"),
    },
    {
      name: 'arrays in arrays',
      source: php("['a' => ['b' => 'one', 'c' => array ('two')]]"),
      texts: ['one', 'two'],
      written: php("['a' => ['b' => 'ONE', 'c' => array ('TWO')]]"),
    },
    {
      name: 'without keys',
      source: php("['one', 2 => 'two', 'three']"),
      texts: ['one', 'two', 'three'],
      written: php("['ONE', 2 => 'TWO', 'THREE']"),
    },
    {
      name: 'comments',
      source: php("[ // 'x' => 'y'\n# 'z'\n/* 'w' */ 'a' => 'one' ]"),
      texts: ['one'],
      written: php("[ // 'x' => 'y'\n# 'z'\n/* 'w' */ 'a' => 'ONE' ]"),
    },
    {
      name: 'single quotes',
      source: php("['a' => 'it\\'s \\\\ \\n']"),
      texts: ["it's \\ \\n"],
      written: php("['a' => 'IT\\'S \\\\ \\\\N']"),
    },
    {
      name: 'double quotes',
      source: php('["a" => "say \\"hi\\" \\$5\\n"]'),
      texts: ['say "hi" $5'],
      written: php('["a" => "SAY \\"HI\\" \\$5\\n"]'),
    },
    {
      name: 'what is interpolated stays',
      source: php('["a" => "x $y", "b" => "x {$y}", "c" => "one"]'),
      texts: ['one'],
      written: php('["a" => "x $y", "b" => "x {$y}", "c" => "ONE"]'),
    },
    {
      name: 'what is put together or called stays',
      source: php("['a' => 'x' . 'y', 'b' => f('x'), 'c' => X::Y, 'd' => 12, 'e' => 'one']"),
      texts: ['one'],
      written: php("['a' => 'x' . 'y', 'b' => f('x'), 'c' => X::Y, 'd' => 12, 'e' => 'ONE']"),
    },
    {
      name: 'placeholders',
      source: php("['a' => 'Hi :name, {count} of %s']"),
      texts: ['Hi «:name», «{count}» of «%s»'],
      written: php("['a' => 'HI :name, {count} OF %s']"),
    },
    {
      name: 'what stands before',
      source:
        "<?php\ndeclare(strict_types=1);\nuse A\\B;\n$x = ['q' => 'r'];\nreturn ['a' => 'one'];\n",
      texts: ['one'],
      written:
        "<?php\ndeclare(strict_types=1);\nuse A\\B;\n$x = ['q' => 'r'];\nreturn ['a' => 'ONE'];\n",
    },
    {
      name: 'a heredoc stays',
      source: php("['a' => <<<EOT\n'x'\nEOT\n, 'b' => 'one']"),
      texts: ['one'],
      written: php("['a' => <<<EOT\n'x'\nEOT\n, 'b' => 'ONE']"),
    },
    { name: 'nothing', source: php('[]'), texts: [], written: php('[]') },
  ])
})

test.each([
  ['<?php echo "x";', /returns no array/],
  ["<?php class A { function b() { return ['a' => 'b']; } }", /returns no array/],
  ["<?php return ['a' => 'b", /ends inside a text/],
  ["<?php return ['a' => 'b'", /ends inside its array/],
  [`<?php return ${'['.repeat(5_000)}`, /deeper than/],
])('%j is refused with a sentence', (source, sentence) => {
  expect(() => phpArray.read(bytesOf(source))).toThrow(sentence)
})

judged('php', isThere('php'), 'PHP reads what was said, whatever it is', () => {
  const said = fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 300, seed: 9 })
  const source = php(`[${said.map((_, at) => (at % 2 ? '"x"' : "'x'")).join(', ')}]`)
  const written = answer(phpArray, source, ...said).replace('<?php', '')
  const read = ask('php', ['-r', `echo json_encode((function () { ${written} })());`], '')
  expect(JSON.parse(read)).toEqual(said)
})
