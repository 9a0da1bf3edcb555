/** Text, HTML, fields and JSON: which texts are found and what is written. */
import { hold } from './cases.ts'

hold('text', [
  ['a line', 'Hello\n', ['Hello'], 'HELLO\n'],
  ['lines are texts of their own', 'One\ntwo', ['One', 'two'], 'ONE\nTWO'],
  ['line ends of each kind stay', 'a\r\nb\rc\n', ['a', 'b', 'c'], 'A\r\nB\rC\n'],
  ['empty lines stay', '\n\na\n\n\n', ['a'], '\n\nA\n\n\n'],
  ['blanks around a line stay', '\t a \n', ['a'], '\t A \n'],
  ['a mark at the beginning stays', '\ufeffa\n', ['a'], '\ufeffA\n'],
  [
    'placeholders are codes',
    'Dear {name}, %d of 5',
    ['Dear «{name}», «%d» of 5'],
    'DEAR {name}, %d OF 5',
  ],
  ['addresses are codes', 'See https://a.b/c.', ['See «https://a.b/c».'], 'SEE https://a.b/c.'],
  ['mail addresses are codes', 'Write to a@b.com', ['Write to «a@b.com»'], 'WRITE TO a@b.com'],
  ['lines without a letter stay', '12.50\n---\na', ['12.50', '---', 'a'], '12.50\n---\nA'],
  ['tags are codes', 'a <b>c</b>', ['a «<b>»c«</b>»'], 'A <b>C</b>'],
  ['an empty file', '', [], ''],
])

hold('html', [
  ['a paragraph', '<p>Hello</p>', ['Hello'], '<p>HELLO</p>'],
  ['tags in a sentence are codes', '<p>a <b>c</b></p>', ['a «<b>»c«</b>»'], '<p>A <b>C</b></p>'],
  ['blocks cut', '<div>a<p>b</p>c</div>', ['a', 'b', 'c'], '<div>A<p>B</p>C</div>'],
  [
    'references that the translation keeps stay',
    '<p>&eacute;&nbsp;x</p>',
    ['é\u00a0x'],
    '<p>É&nbsp;X</p>',
  ],
  [
    'scripts and styles stay',
    '<script>let a</script><style>a{}</style>x',
    ['x'],
    '<script>let a</script><style>a{}</style>X',
  ],
  ['comments stay', 'a<!-- no -->', ['a«<!-- no -->»'], 'A<!-- no -->'],
  ['attributes that are read', '<img alt="a dog">', ['a dog'], '<img alt="A DOG">'],
  ['a title', '<title>a &amp; b</title>', ['a & b'], '<title>A &amp; B</title>'],
  [
    'what is locked stays',
    '<p>a <i translate="no">b</i></p>',
    ['a «<i translate="no">b</i>»'],
    '<p>A <i translate="no">b</i></p>',
  ],
  [
    'a block that is locked',
    '<p class="notranslate">b</p><p>a</p>',
    ['a'],
    '<p class="notranslate">b</p><p>A</p>',
  ],
  [
    'the language of the page',
    '<html lang="en"><p>a</p></html>',
    ['a'],
    '<html lang="de-DE"><p>A</p></html>',
  ],
  ['cells of a table', '<tr><td>a<td>b', ['a', 'b'], '<tr><td>A<td>B'],
  ['a line end that is meant', '<p>a<br>b</p>', ['a«<br>»b'], '<p>A<br>B</p>'],
])

hold(
  'key-value',
  [
    ['a field', '<field key="a">Hello</field>', ['Hello'], '<field key="a">HELLO</field>'],
    [
      'two fields',
      '<field key="a">x</field><field key="b">y</field>',
      ['x', 'y'],
      '<field key="a">X</field><field key="b">Y</field>',
    ],
    [
      'the same key twice',
      '<field key="a">x</field><field key="a">y</field>',
      ['x', 'y'],
      '<field key="a">X</field><field key="a">Y</field>',
    ],
    [
      'an empty field',
      '<field key="a"></field><field key="b"/>',
      [],
      '<field key="a"></field><field key="b"/>',
    ],
    [
      'markup as text',
      '<field key="a">&lt;b&gt;x&lt;/b&gt;</field>',
      ['«&lt;b&gt;»x«&lt;/b&gt;»'],
      '<field key="a">&lt;b&gt;X&lt;/b&gt;</field>',
    ],
    [
      'CDATA',
      '<field key="a"><![CDATA[x & y]]></field>',
      ['x & y'],
      '<field key="a"><![CDATA[X & Y]]></field>',
    ],
    [
      'elements',
      '<field key="a">x <i>y</i></field>',
      ['x «<i>»y«</i>»'],
      '<field key="a">X <i>Y</i></field>',
    ],
    ['placeholders', '<field key="a">x {y}</field>', ['x «{y}»'], '<field key="a">X {y}</field>'],
    [
      'what is no field stays',
      '<other>x</other><field key="a">y</field>',
      ['y'],
      '<other>x</other><field key="a">Y</field>',
    ],
    [
      'a key with a reference',
      '<field key="&quot;">x</field>',
      ['x'],
      '<field key="&quot;">X</field>',
    ],
    [
      'blanks around a text stay',
      '<field key="a"> x </field>',
      ['x'],
      '<field key="a"> X </field>',
    ],
    ['a number stays', '<field key="a">12.50</field>', ['12.50'], '<field key="a">12.50</field>'],
  ],
  (inside) => `<content>${inside}</content>`,
)

hold('json', [
  ['a value', '{"a": "x"}', ['x'], '{"a": "X"}'],
  ['a text alone', '"x"', ['x'], '"X"'],
  ['lists', '["x", ["y"]]', ['x', 'y'], '["X", ["Y"]]'],
  [
    'values that are no text',
    '{"a": 1e3, "b": true, "c": null}',
    [],
    '{"a": 1e3, "b": true, "c": null}',
  ],
  ['the same key twice', '{"a":"x","a":"y"}', ['x', 'y'], '{"a":"X","a":"Y"}'],
  [
    'escapes',
    String.raw`{"a": "x \"y\" \\"}`,
    [String.raw`x "y" \ `.trimEnd()],
    String.raw`{"a": "X \"Y\" \\"}`,
  ],
  ['characters by number', String.raw`["caf\u00e9"]`, ['café'], '["CAFÉ"]'],
  ['line ends are codes', String.raw`["x\ny"]`, [String.raw`x«\n»y`], String.raw`["X\nY"]`],
  ['comments stay', '// no\n{"a": "x", /* no */}', ['x'], '// no\n{"a": "X", /* no */}'],
  [
    'placeholders',
    '["{{x}} of %{y} $t(z)"]',
    ['«{{x}}» of «%{y}» «$t(z)»'],
    '["{{x}} OF %{y} $t(z)"]',
  ],
  [
    'a plural',
    '["{n, plural, other {# x}}"]',
    ['«{n, plural, other {»«#» x«}}»'],
    '["{n, plural, other {# X}}"]',
  ],
  ['empty texts', '["", " "]', [], '["", " "]'],
])
