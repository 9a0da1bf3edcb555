/** XLIFF: which texts are found and what is written. */
import { hold } from './cases.ts'

const unit = (inside: string, attributes = '') =>
  `<trans-unit id="1"${attributes}>${inside}</trans-unit>`
hold(
  'xliff-1.2',
  [
    [
      'a target is added',
      unit('<source>x</source>'),
      ['x'],
      unit('<source>x</source><target>X</target>'),
    ],
    [
      'an empty target is filled',
      unit('<source>x</source><target/>'),
      ['x'],
      unit('<source>x</source><target>X</target>'),
    ],
    [
      'a target like its source is made anew',
      unit('<source>x</source><target>x</target>'),
      ['x'],
      unit('<source>x</source><target>X</target>'),
    ],
    [
      'a translation stays',
      unit('<source>x</source><target>y</target>'),
      ['x'],
      unit('<source>x</source><target>y</target>'),
    ],
    [
      'a new one does not',
      unit('<source>x</source><target state="new">y</target>'),
      ['x'],
      unit('<source>x</source><target state="translated">X</target>'),
    ],
    [
      'what is approved is none',
      unit('<source>x</source><target>x</target>', ' approved="yes"'),
      [],
      unit('<source>x</source><target>x</target>', ' approved="yes"'),
    ],
    [
      'what is locked is none',
      unit('<source>x</source>', ' translate="no"'),
      [],
      unit('<source>x</source>', ' translate="no"'),
    ],
    [
      'inline elements',
      unit('<source>a <g id="1">b</g><x id="2"/></source>'),
      ['a «<g id="1">»b«</g>»«<x id="2"/>»'],
      unit(
        '<source>a <g id="1">b</g><x id="2"/></source><target>A <g id="1">B</g><x id="2"/></target>',
      ),
    ],
    [
      'the native code of an element',
      unit('<source>a <ph id="1">&lt;br/></ph></source>'),
      ['a «<ph id="1">&lt;br/></ph>»'],
      unit(
        '<source>a <ph id="1">&lt;br/></ph></source><target>A <ph id="1">&lt;br/></ph></target>',
      ),
    ],
    [
      'segments',
      unit(
        '<source>a. b.</source><seg-source><mrk mtype="seg" mid="0">a.</mrk> <mrk mtype="seg" mid="1">b.</mrk></seg-source>',
      ),
      ['a.', 'b.'],
      unit(
        '<source>a. b.</source><seg-source><mrk mtype="seg" mid="0">a.</mrk> <mrk mtype="seg" mid="1">b.</mrk></seg-source><target><mrk mtype="seg" mid="0">A.</mrk> <mrk mtype="seg" mid="1">B.</mrk></target>',
      ),
    ],
    [
      'notes stay',
      unit('<source>x</source><note>for you</note>'),
      ['x'],
      unit('<source>x</source><target>X</target><note>for you</note>'),
    ],
    [
      'placeholders',
      unit('<source>x {y}</source>'),
      ['x «{y}»'],
      unit('<source>x {y}</source><target>X {y}</target>'),
    ],
  ],
  (inside) =>
    `<xliff version="1.2"><file source-language="en" target-language="de-DE"><body>${inside}</body></file></xliff>`,
)

const segment = (inside: string, attributes = '') =>
  `<unit id="u"><segment${attributes}>${inside}</segment></unit>`
hold(
  'xliff-2',
  [
    [
      'a target is added',
      segment('<source>x</source>'),
      ['x'],
      segment('<source>x</source><target>X</target>'),
    ],
    [
      'an empty target is filled',
      segment('<source>x</source><target/>'),
      ['x'],
      segment('<source>x</source><target>X</target>'),
    ],
    [
      'a target like its source is made anew',
      segment('<source>x</source><target>x</target>'),
      ['x'],
      segment('<source>x</source><target>X</target>'),
    ],
    [
      'a translation stays',
      segment('<source>x</source><target>y</target>'),
      ['x'],
      segment('<source>x</source><target>y</target>'),
    ],
    [
      'an initial one does not',
      segment('<source>x</source><target>y</target>', ' state="initial"'),
      ['x'],
      segment('<source>x</source><target>X</target>', ' state="translated"'),
    ],
    [
      'what is final is none',
      segment('<source>x</source><target>x</target>', ' state="final"'),
      [],
      segment('<source>x</source><target>x</target>', ' state="final"'),
    ],
    [
      'what is locked is none',
      '<unit id="u" translate="no"><segment><source>x</source></segment></unit>',
      [],
      '<unit id="u" translate="no"><segment><source>x</source></segment></unit>',
    ],
    [
      'inline elements',
      segment('<source>a <pc id="1">b</pc><ph id="2"/></source>'),
      ['a «<pc id="1">»b«</pc>»«<ph id="2"/>»'],
      segment(
        '<source>a <pc id="1">b</pc><ph id="2"/></source><target>A <pc id="1">B</pc><ph id="2"/></target>',
      ),
    ],
    [
      'two segments',
      '<unit id="u"><segment><source>a</source></segment><segment><source>b</source></segment></unit>',
      ['a', 'b'],
      '<unit id="u"><segment><source>a</source><target>A</target></segment><segment><source>b</source><target>B</target></segment></unit>',
    ],
    [
      'what is ignorable stays',
      '<unit id="u"><segment><source>a</source></segment><ignorable><source> </source></ignorable></unit>',
      ['a'],
      '<unit id="u"><segment><source>a</source><target>A</target></segment><ignorable><source> </source></ignorable></unit>',
    ],
    [
      'original data stays',
      '<unit id="u"><originalData><data id="d">[b]</data></originalData><segment><source>a</source></segment></unit>',
      ['a'],
      '<unit id="u"><originalData><data id="d">[b]</data></originalData><segment><source>a</source><target>A</target></segment></unit>',
    ],
    [
      'references',
      segment('<source>a &amp; b</source>'),
      ['a & b'],
      segment('<source>a &amp; b</source><target>A &amp; B</target>'),
    ],
  ],
  (inside) =>
    `<xliff version="2.0" srcLang="en" trgLang="de-DE"><file id="f">${inside}</file></xliff>`,
)
