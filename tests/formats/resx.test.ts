/** RESX of .NET. */
import { describe } from 'vitest'
import { type Case, holdCases } from './cases.ts'
import { formatOf } from './laws.ts'

const file = (inside: string) =>
  `<?xml version="1.0"?>\r\n<root>\r\n  <resheader name="version"><value>2.0</value></resheader>\r\n${inside}\r\n</root>`
const data = (value: string, attributes = 'name="A" xml:space="preserve"') =>
  file(
    `  <data ${attributes}>\r\n    <value>${value}</value>\r\n    <comment>for you</comment>\r\n  </data>`,
  )
const one = (name: string, before: string, text: string, after: string): Case => ({
  name,
  source: data(before),
  texts: [text],
  written: data(after),
})
const none = (name: string, attributes: string): Case => ({
  name,
  source: data('text', attributes),
  texts: [],
  written: data('text', attributes),
})

const cases: Case[] = [
  one('a value', 'Hello', 'Hello', 'HELLO'),
  one(
    'placeholders of .NET are codes',
    '{0:N2} of {1,10:dd MMM}',
    '«{0:N2}» of «{1,10:dd MMM}»',
    '{0:N2} OF {1,10:dd MMM}',
  ),
  one('a mnemonic', '&amp;File', '&File', '&amp;FILE'),
  one('several lines', 'one\r\ntwo', 'one«\r\n»two', 'ONE\r\nTWO'),
  one(
    'markup that is written as text',
    '&lt;b&gt;x&lt;/b&gt;',
    '«&lt;b&gt;»x«&lt;/b&gt;»',
    '&lt;b&gt;X&lt;/b&gt;',
  ),
  one('blanks around it stay', '  x  ', 'x', '  X  '),
  one('CDATA', '<![CDATA[a <b>]]>', 'a «<b>»', '<![CDATA[A <b>]]>'),
  none('typed data is none', 'name="A" type="System.Int32"'),
  none('files are none', 'name="A" mimetype="application/x-microsoft.net.object.binary.base64"'),
  none('names of the designer are none', 'name="&gt;&gt;a.Name"'),
  none('sizes are none', 'name="button1.Size"'),
  none('fonts are none', 'name="$this.Font"'),
  { name: 'an empty value', source: data(''), texts: [], written: data('') },
  { name: 'a header alone', source: file(''), texts: [], written: file('') },
]
describe('cases', () => holdCases(formatOf('resx'), cases))
