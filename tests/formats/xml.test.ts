/** XML of no known kind, and what ITS 2.0 says of it. */
import { expect, test } from 'vitest'
import { type Case, holdCases } from './cases.ts'
import { bytesOf, formatOf } from './laws.ts'

const its = (rules: string) =>
  `<its:rules xmlns:its="http://www.w3.org/2005/11/its" version="2.0">${rules}</its:rules>`
const noCode = '<its:translateRule selector="//code" translate="no"/>'

const cases: Case[] = [
  {
    name: 'an element with text is a segment',
    source: '<a><b>one</b></a>',
    texts: ['one'],
    written: '<a><b>ONE</b></a>',
  },
  {
    name: 'inner elements are codes',
    source: '<p>one <i>two</i> three</p>',
    texts: ['one «<i>»two«</i>» three'],
    written: '<p>ONE <i>TWO</i> THREE</p>',
  },
  {
    name: 'a locked element in a sentence is one code',
    source: '<p>Press <key translate="no">Enter <b>now</b></key> twice</p>',
    texts: ['Press «<key translate="no">Enter <b>now</b></key>» twice'],
    written: '<p>PRESS <key translate="no">Enter <b>now</b></key> TWICE</p>',
  },
  {
    name: 'its:translate locks too, CDATA included',
    source: '<p>Say <q its:translate="no"><![CDATA[hello]]></q> to <![CDATA[them]]></p>',
    texts: ['Say «<q its:translate="no"><![CDATA[hello]]></q>» to', 'them'],
    written: '<p>SAY <q its:translate="no"><![CDATA[hello]]></q> TO <![CDATA[THEM]]></p>',
  },
  {
    name: 'what is locked may hold what is not',
    source: '<a translate="no"><b>no</b><b translate="yes">yes</b>no</a>',
    texts: ['yes'],
    written: '<a translate="no"><b>no</b><b translate="yes">YES</b>no</a>',
  },
  {
    name: 'rules in the document',
    source: `<doc>${its(noCode)}<p>run <code>ls</code> now</p><code>rm</code></doc>`,
    texts: ['run «<code>ls</code>» now'],
    written: `<doc>${its(noCode)}<p>RUN <code>ls</code> NOW</p><code>rm</code></doc>`,
  },
  {
    name: 'rules of a file, of which the last counts, and the element itself after them',
    source:
      '<doc><head><title>t</title></head><p class="x">a</p><p class="y">b</p><p class="x" translate="yes">c</p></doc>',
    options: {
      xml: {
        its: its(
          '<its:translateRule selector="/doc/head | //p[@class]" translate="no"/><its:translateRule selector="//p[@class=\'y\']" translate="yes"/>',
        ),
      },
    },
    texts: ['b', 'c'],
    written:
      '<doc><head><title>t</title></head><p class="x">a</p><p class="y">B</p><p class="x" translate="yes">C</p></doc>',
  },
  {
    name: 'an element that is not within the text ends it',
    source: `<d>${its('<its:withinTextRule selector="//note" withinText="no"/>')}<p>one <i>two</i><note>aside</note> three</p></d>`,
    texts: ['one «<i>»two«</i>»', 'aside', 'three'],
    written: `<d>${its('<its:withinTextRule selector="//note" withinText="no"/>')}<p>ONE <i>TWO</i><note>ASIDE</note> THREE</p></d>`,
  },
  {
    name: 'only the elements that are named',
    source: '<r><id>x1</id><t>one <b>two</b></t><u>three</u></r>',
    options: { xml: { elements: ['t'] } },
    texts: ['one «<b>»two«</b>»'],
    written: '<r><id>x1</id><t>ONE <b>TWO</b></t><u>three</u></r>',
  },
  {
    name: 'all but the elements that are named',
    source: '<r><id>x1</id><t>one <id>two</id></t></r>',
    options: { xml: { skipElements: ['id'] } },
    texts: ['one «<id>two</id>»'],
    written: '<r><id>x1</id><t>ONE <id>two</id></t></r>',
  },
  {
    name: 'attributes are no text by themselves',
    source: '<a title="one"><b alt="two">three</b></a>',
    texts: ['three'],
    written: '<a title="one"><b alt="two">THREE</b></a>',
  },
  {
    name: 'attributes that are named, in tags that hold text, empty tags, and tags inside a sentence',
    source: `<a title="one" id="x"><p alt='it&apos;s "two"'>three <img alt="four"/> five</p><img alt="six &amp; seven"/></a>`,
    options: { xml: { attributes: ['title', 'alt'] } },
    texts: ['one', `it's "two"`, 'four', 'three «<img alt=""/>» five', 'six & seven'],
    written: `<a title="ONE" id="x"><p alt='IT&apos;S "TWO"'>THREE <img alt="FOUR"/> FIVE</p><img alt="SIX &amp; SEVEN"/></a>`,
  },
  {
    name: 'attributes of two tags that are alike, and of tags around no text',
    source:
      '<a><p>one<i t="two">three</i><i t="four">five</i></p><p><i t="six"/><i t="12"/></p></a>',
    options: { xml: { attributes: ['t'] } },
    texts: ['two', 'four', 'one«<i t="">»three«</i>»«<i t="">»five«</i>»', 'six', '12'],
    written:
      '<a><p>ONE<i t="TWO">THREE</i><i t="FOUR">FIVE</i></p><p><i t="SIX"/><i t="12"/></p></a>',
  },
  {
    name: 'an attribute of a locked element stays, though it is named',
    source:
      '<a><p t="one" translate="no">two</p><p>three <b t="four" translate="no">five</b></p></a>',
    options: { xml: { attributes: ['t'] } },
    texts: ['three «<b t="four" translate="no">five</b>»'],
    written:
      '<a><p t="one" translate="no">two</p><p>THREE <b t="four" translate="no">five</b></p></a>',
  },
  {
    name: 'attributes by the rules of ITS, which hold for locked elements too',
    source:
      '<doc><p t="one" u="two">three</p><q t="four"><r t="five"/></q><p>x <b t="six" translate="no">y <i t="no"/></b></p></doc>',
    options: {
      xml: {
        its: its(
          '<its:translateRule selector="//@t" translate="yes"/><its:translateRule selector="/doc/q/@t | //i/@*" translate="no"/>',
        ),
      },
    },
    texts: ['one', 'three', 'five', 'six', 'x «<b t="" translate="no">y <i t="no"/></b>»'],
    written:
      '<doc><p t="ONE" u="two">THREE</p><q t="four"><r t="FIVE"/></q><p>X <b t="SIX" translate="no">y <i t="no"/></b></p></doc>',
  },
  {
    name: 'line ends in an attribute are blanks; its own quote is escaped',
    source: '<a t="one\n  two &quot;three&quot;"/>',
    options: { xml: { attributes: ['t'] } },
    texts: ['one   two "three"'],
    written: '<a t="ONE   TWO &quot;THREE&quot;"/>',
  },
  {
    name: 'references are written as they were',
    source: '<a>x &amp; &#65;y &lt;z</a>',
    texts: ['x & Ay <z'],
    written: '<a>X &amp; &#65;Y &lt;Z</a>',
  },
  {
    name: 'nothing but markup',
    source: '<a><b/><!-- c --><?p i?></a>',
    texts: [],
    written: '<a><b/><!-- c --><?p i?></a>',
  },
]
holdCases(formatOf('xml'), cases)

test('a selector that cannot be followed is said, not ignored', () => {
  const options = { xml: { its: its('<its:translateRule selector="id(\'x\')" translate="no"/>') } }
  expect(() => formatOf('xml').read(bytesOf('<a>b</a>'), options)).toThrow(
    'The ITS selector "id(\'x\')" cannot be followed here',
  )
})
