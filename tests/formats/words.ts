/** What people and programs write, for generators of files. */
import fc from 'fast-check'

export const words = fc.string({
  unit: fc.constantFrom(...'abcXYZ éß中😀 .,!?%$#{}@:/\'"&<>-_;\u00a0\ufffc'),
  maxLength: 24,
})
const spoken = fc.oneof(
  words,
  fc.constantFrom(
    'Hello',
    '{name}',
    '%s',
    '%1$d',
    '{{x}}',
    `\${x}`,
    '50% off',
    'a@b.com',
    'https://a.b/c',
    '&amp;',
  ),
  fc.constantFrom(
    '{n, plural, one {# day} other {# days}}',
    '{g, select, a {x} other {y}}',
    '<b>bold</b>',
    '<br/>',
  ),
)
export const sentence = fc.array(spoken, { maxLength: 5 }).map((all) => all.join(' '))
export const escaped = sentence.map((text) =>
  text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;' })[c] ?? '&gt;'),
)
