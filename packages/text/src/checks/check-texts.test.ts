import { describe, expect, it } from 'vitest'
import { checkTexts, type TextUnit } from './check-texts.ts'

const unit = (id: string, source: string, target: string): TextUnit => ({
  id,
  source: [source],
  target: [target],
  tags: [],
})
const languages = { sourceLanguage: 'en', targetLanguage: 'de' }
const found = (units: readonly TextUnit[], targetLanguage = 'de') =>
  checkTexts(units, { ...languages, targetLanguage }).flatMap(({ id, findings }) =>
    findings.map(({ check }) => `${id} ${check}`),
  )

describe('the texts of a file', () => {
  it.each([
    [unit('a', 'Save', 'Speichern'), unit('b', 'Save', 'Sichern')],
    [unit('a', 'Open file', 'Datei öffnen'), unit('b', 'Open file', 'Öffne Datei')],
    [unit('a', 'Name', 'Name'), unit('b', 'Name', 'Bezeichnung')],
    [unit('1', 'Yes', 'Ja'), unit('2', 'Yes', 'Jawohl')],
    [unit('x/one', 'file', 'Datei'), unit('y/one', 'file', 'Akte')],
  ])('find one source with two translations: %j %j', (one, other) => {
    expect(found([one, other])).toEqual([`${other.id} repeat`])
  })

  it.each([
    [unit('a', 'Save', 'Speichern'), unit('b', 'Store', 'Speichern')],
    [unit('a', 'Cancel', 'Abbrechen'), unit('b', 'Abort the print', 'Abbrechen')],
    [unit('a', 'Start', 'Los gehts'), unit('b', 'Let us go', 'Los gehts')],
    [unit('1', 'Yes', 'Ja'), unit('2', 'No', 'Ja')],
    [unit('x.one', 'file', 'Datei'), unit('y.one', 'document', 'Datei')],
  ])('find two sources with one translation: %j %j', (one, other) => {
    expect(found([one, other])).toEqual([`${other.id} reused`])
  })

  it.each([
    [unit('a', 'Save', 'Speichern'), unit('b', 'Save', 'Speichern')],
    [unit('a', 'Save', 'Speichern'), unit('b', 'save', 'Speichern')],
    [unit('a', 'Save…', 'Speichern…'), unit('b', 'Cancel…', 'Abbrechen…')],
    [unit('files/one', 'file', 'Fenster'), unit('files/other', 'files', 'Fenster')],
    [unit('a', '5', '5'), unit('b', '-', '-')],
    [unit('a', 'Save', 'Speichern'), unit('b', '12', '12')],
  ])('are fine: %j %j', (one, other) => {
    expect(found([one, other])).toEqual([])
  })

  it('name the forms that a plural lacks', () => {
    const plural = [unit('days/one', 'day', 'день'), unit('days/other', 'days', 'дня')]
    expect(found(plural, 'ru')).toEqual(['days/other plurals'])
    expect(
      found([...plural, unit('days/few', 'days', 'дня'), unit('days/many', 'days', 'дней')], 'ru'),
    ).toEqual([])
    expect(found([unit('days/one', 'day', 'Tag'), unit('days/other', 'days', 'Tage')])).toEqual([])
  })

  it('take the severities of the site', () => {
    const units = [unit('a', 'Save 5 files', 'Dateien speichern ')]
    const severities = { numbers: 'BLOCKING', spaces: 'OFF' } as const
    expect(checkTexts(units, { ...languages, severities })).toEqual([
      { id: 'a', findings: [expect.objectContaining({ check: 'numbers', severity: 'BLOCKING' })] },
    ])
  })
})
