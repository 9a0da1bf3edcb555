import { describe, expect, it } from 'vitest'
import { officeWords } from './office-words.ts'

const run = (look: string, between = '') =>
  `</w:t></w:r>${between}<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">`

describe('the markup of an Office file', () => {
  it.each([
    [run('<w:b/>'), ['officeBold']],
    [run('<w:b/><w:i/>'), ['officeBold', 'officeItalic']],
    [run('<w:b w:val="0"/><w:i w:val="true"/>'), ['officeItalic']],
    [run('<w:bCs/><w:u w:val="none"/>'), ['officePlain']],
    [run(''), ['officePlain']],
    [run('<w:u w:val="single"/>', '<w:hyperlink r:id="rId4">'), ['officeLink', 'officeUnderlined']],
    [run('', '</w:hyperlink>'), ['officeLinkEnd']],
    ['</w:t><w:br/><w:t>', ['officeBreak']],
    ['</w:t><w:tab/><w:t>', ['officeTab']],
    ['</a:t></a:r><a:r><a:rPr lang="en" b="1"/><a:t>', ['officeBold']],
    // The look before it does not count.
    [
      '</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:drawing/></w:r><w:r><w:rPr/><w:t>',
      ['officePicture'],
    ],
  ])('%s is %s', (shows, words) => expect(officeWords(shows)).toEqual(words))

  it.each(['<b>', '</a>', '{name}', '<wide>', '%s'])('%s is none', (shows) =>
    expect(officeWords(shows)).toBeUndefined(),
  )
})
