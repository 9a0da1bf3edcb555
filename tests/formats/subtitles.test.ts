/**
 * Subtitles: which cues are found, how their texts are broken into lines, and that everything else
 * stays.
 */
import { describe, expect, test } from 'vitest'
import { srt, vtt } from '../../packages/text/src/formats/subtitles/subtitles.ts'
import { answer, holdCases } from './cases.ts'

const times = '00:00:01,000 --> 00:00:02,000'
describe('SRT', () => {
  holdCases(srt, [
    {
      name: 'a cue',
      source: `1\n${times}\nHello\n`,
      texts: ['Hello'],
      written: `1\n${times}\nHELLO\n`,
    },
    {
      name: 'two lines are one text',
      source: `1\n${times}\nHello\nyou\n`,
      texts: ['Hello you'],
      written: `1\n${times}\nHELLO YOU\n`,
    },
    {
      name: 'a long text is broken in the middle',
      source: `1\n${times}\nthis is a text of more than forty-two characters in all\n`,
      texts: ['this is a text of more than forty-two characters in all'],
      written: `1\n${times}\nTHIS IS A TEXT OF MORE THAN\nFORTY-TWO CHARACTERS IN ALL\n`,
    },
    {
      name: 'turns of two speakers stay apart',
      source: `1\n${times}\n- Where?\n- Here.\n`,
      texts: ['- Where?«\n»- Here.'],
      written: `1\n${times}\n- WHERE?\n- HERE.\n`,
    },
    {
      name: 'tags and positions stay',
      source: `1\n${times}\n{\\an8}<i>Hello</i> <font color="red">you</font>\n`,
      texts: ['«{\\an8}»«<i>»Hello«</i>» «<font color="red">»you«</font>»'],
      written: `1\n${times}\n{\\an8}<i>HELLO</i> <font color="red">YOU</font>\n`,
    },
    {
      name: 'cues without an empty line between them stay apart',
      source: `1\n${times}\nOne\nmore\n2\n${times}\nTwo --> three\n${times}\nFour\n`,
      texts: ['One more', 'Two --> three', 'Four'],
      written: `1\n${times}\nONE MORE\n2\n${times}\nTWO --> THREE\n${times}\nFOUR\n`,
    },
    {
      name: 'several cues, one without a number, one without a text',
      source: `1\n${times}\nOne\n\n${times}\nTwo\n\n3\n${times}\n\n4\n${times}\nFour`,
      texts: ['One', 'Two', 'Four'],
      written: `1\n${times}\nONE\n\n${times}\nTWO\n\n3\n${times}\n\n4\n${times}\nFOUR`,
    },
    {
      name: 'CRLF',
      source: `1\r\n${times}\r\nOne\r\ntwo\r\n\r\n`,
      texts: ['One two'],
      written: `1\r\n${times}\r\nONE TWO\r\n\r\n`,
    },
    {
      name: 'Chinese is joined and counted without blanks',
      source: `1\n${times}\n一二三\n四五\n`,
      texts: ['一二三四五'],
      written: `1\n${times}\n一二三\n四五\n`,
    },
    {
      name: 'a cue of a number alone',
      source: `1\n${times}\n1984\n`,
      texts: ['1984'],
      written: `1\n${times}\n1984\n`,
    },
    {
      name: 'line ends of Windows',
      source: `1\r\n${times}\r\na\r\n`,
      texts: ['a'],
      written: `1\r\n${times}\r\nA\r\n`,
    },
    {
      name: 'a line that looks like times stays in its cue',
      source: `1\n${times}\nThe bus goes\n10:30 --> 11:45 daily\n\n2\n${times}\nTwo\n`,
      texts: ['The bus goes 10:30 --> 11:45 daily', 'Two'],
      written: `1\n${times}\nTHE BUS GOES 10:30 --> 11:45 DAILY\n\n2\n${times}\nTWO\n`,
    },
    {
      name: 'an empty line in a cue',
      source: `1\n${times}\nOne\n\nmore of it\n\n2\n${times}\nTwo\n`,
      texts: ['One', 'more of it', 'Two'],
      written: `1\n${times}\nONE\n\nMORE OF IT\n\n2\n${times}\nTWO\n`,
    },
  ])

  test('whatever is said, a cue has no empty line and two lines at most', () => {
    const said = `One\n\ntwo ${'three four '.repeat(20)}`.trim()
    const lines = answer(srt, `1\n${times}\nx\n`, said).trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.slice(2).join(' ')).toBe(said.replace('\n\n', ' '))
    expect(Math.abs((lines[2]?.length ?? 0) - (lines[3]?.length ?? 0))).toBeLessThan(12)
  })

  test('a translation that is a line of times keeps its cue', () => {
    const written = answer(srt, `1\n${times}\nx\n\n2\n${times}\ny\n`, times, 'two')
    expect(written).toBe(`1\n${times}\n${times.replace('-->', '->')}\n\n2\n${times}\ntwo\n`)
    expect(srt.read(new TextEncoder().encode(written))).toHaveLength(2)
  })

  test('Korean is as wide as Chinese, and is broken between words', () => {
    const said = '안녕하세요 여러분 오늘은 날씨가 매우 좋습니다 그래서 산책을'
    const lines = answer(srt, `1\n${times}\nx\n`, said).trimEnd().split('\n').slice(2)
    expect(lines).toEqual(['안녕하세요 여러분 오늘은 날씨가', '매우 좋습니다 그래서 산책을'])
  })

  test('lines of Korean are joined with a blank', () => {
    const [found] = srt.read(new TextEncoder().encode(`1\n${times}\n안녕\n여러분\n`))
    expect(found?.parts).toEqual([{ type: 'text', text: '안녕 여러분' }])
  })

  test('Chinese without blanks is broken between two characters', () => {
    expect(answer(srt, `1\n${times}\nx\n`, '一二三四五六七八九十'.repeat(3))).toBe(
      `1\n${times}\n一二三四五六七八九十一二三四五\n六七八九十一二三四五六七八九十\n`,
    )
  })
})

const time = '00:01.000 --> 00:02.000'
const said = (text: string) => `WEBVTT\n\n${time}\n${text}\n`
describe('WebVTT', () => {
  holdCases(vtt, [
    {
      name: 'a cue',
      source: `WEBVTT\n\n${time}\nHello\n`,
      texts: ['Hello'],
      written: `WEBVTT\n\n${time}\nHELLO\n`,
    },
    {
      name: 'a name and settings stay',
      source: `WEBVTT title\n\nintro\n${time} align:start line:0\nHello\n`,
      texts: ['Hello'],
      written: `WEBVTT title\n\nintro\n${time} align:start line:0\nHELLO\n`,
    },
    {
      name: 'notes, styles and regions stay',
      source: `WEBVTT\n\nNOTE a note\nover lines\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\n${time}\nHello\n\nNOTE end --> x\n`,
      texts: ['Hello'],
      written: `WEBVTT\n\nNOTE a note\nover lines\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\n${time}\nHELLO\n\nNOTE end --> x\n`,
    },
    {
      name: 'speakers, classes and times stay',
      source: `WEBVTT\n\n${time}\n<v Mary O'Neil>Hello</v> <c.loud.big>you</c> <00:01.500>all\n`,
      texts: ["«<v Mary O'Neil>»Hello«</v>» «<c.loud.big>»you«</c>» «<00:01.500>»all"],
      written: `WEBVTT\n\n${time}\n<v Mary O'Neil>HELLO</v> <c.loud.big>YOU</c> <00:01.500>ALL\n`,
    },
    {
      name: 'references are characters or stay',
      source: `WEBVTT\n\n${time}\nR&amp;B &lt;3 a&nbsp;b\n`,
      texts: ['R&B <3 a«&nbsp;»b'],
      written: `WEBVTT\n\n${time}\nR&amp;B &lt;3 A&nbsp;B\n`,
    },
    {
      name: 'two lines are one text',
      source: said(`Hello\nyou`),
      texts: ['Hello you'],
      written: said(`HELLO YOU`),
    },
    {
      name: 'turns of two speakers stay apart',
      source: said(`- Where?\n- Here.`),
      texts: ['- Where?«\n»- Here.'],
      written: said(`- WHERE?\n- HERE.`),
    },
    {
      name: 'a line with a speaker each',
      source: said(`<v A>one</v>\n<v B>two</v>`),
      texts: ['«<v A>»one«</v>» «<v B>»two«</v>»'],
      written: said(`<v A>ONE</v> <v B>TWO</v>`),
    },
    {
      name: 'ruby and emphasis',
      source: said(`<i>a</i> <ruby>b<rt>c</rt></ruby>`),
      texts: ['«<i>»a«</i>» «<ruby>»b«<rt>»c«</rt>»«</ruby>»'],
      written: said(`<i>A</i> <ruby>B<rt>C</rt></ruby>`),
    },
    {
      name: 'placeholders',
      source: said(`a {name}`),
      texts: ['a «{name}»'],
      written: said(`A {name}`),
    },
    {
      name: 'cues without an empty line between them stay apart',
      source: said(`one\n2\n${time}\ntwo`),
      texts: ['one', 'two'],
      written: said(`ONE\n2\n${time}\nTWO`),
    },
    { name: 'an empty cue', source: said(''), texts: [], written: said('') },
    { name: 'no cue at all', source: 'WEBVTT\n', texts: [], written: 'WEBVTT\n' },
  ])

  test('an arrow in a translation cannot end a cue', () => {
    expect(answer(vtt, `WEBVTT\n\n${time}\nx\n`, 'a --> b')).toBe(`WEBVTT\n\n${time}\na --&gt; b\n`)
  })
})
