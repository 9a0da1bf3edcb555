/**
 * The checks of a whole file: those of each text, and those that compare texts with each other.
 * Applies the severities that the site asks for.
 */
import {
  type CheckName,
  type CheckSetting,
  type CheckSeverity,
  checkOf,
  type TextParts,
} from '@dragoman/contract/wire'
import { type CheckFinding, checkText, type Languages } from './check-text.ts'
import { missingForms } from './markup.ts'
import { lettersIn, listed, namesOf, show } from './read-text.ts'
import type { TextPair, Told } from './rule.ts'

export type Severities = Readonly<Partial<Record<CheckName, CheckSetting>>>
export type TextUnit = TextPair & {
  readonly id: string
  /** Where it is, if its id tells people nothing. */
  readonly position?: number | undefined
}
export type UnitFindings = { readonly id: string; readonly findings: readonly CheckFinding[] }

export function severityOf(check: CheckName, severities: Severities = {}): CheckSetting {
  return severities[check] ?? checkOf(check).severity
}

/** Applies the severities of the site and leaves out the checks that it switched off. */
export const withSeverities = (
  findings: readonly CheckFinding[],
  severities: Severities = {},
): CheckFinding[] =>
  findings.flatMap((finding) => {
    const severity = severityOf(finding.check, severities)
    return severity === 'OFF' ? [] : [{ ...finding, severity: severity satisfies CheckSeverity }]
  })

type CheckTextsOptions = { readonly severities?: Severities | undefined; readonly mends?: boolean }

/** Only units with findings, in their order. */
export function checkTexts(
  units: readonly TextUnit[],
  { severities, mends, ...languages }: Languages & CheckTextsOptions,
): UnitFindings[] {
  const across = compareTexts(units, languages.targetLanguage)
  return units.flatMap((unit, at) => {
    const findings = withSeverities(
      [
        ...checkText({ ...unit, ...languages }, mends === false ? { mends } : {}),
        ...(across.get(at) ?? []),
      ],
      severities,
    )
    return findings.length > 0 ? [{ id: unit.id, findings }] : []
  })
}

type CheckedText = {
  readonly at: number
  readonly unit: TextUnit
  readonly source: string
  readonly target: string
}

/** Findings by the index of their unit. */
function compareTexts(
  units: readonly TextUnit[],
  targetLanguage: string,
): Map<number, CheckFinding[]> {
  const found = new Map<number, CheckFinding[]>()
  const add = (at: number, check: CheckName, { message, fact }: Told) =>
    found.set(at, [
      ...(found.get(at) ?? []),
      { check, severity: checkOf(check).severity, message, facts: [fact] },
    ])
  const rows = units.map(
    (unit, at): CheckedText => ({
      at,
      unit,
      source: keyOf(unit.source),
      target: keyOf(unit.target),
    }),
  )
  const full = rows.filter(
    ({ unit }) => lettersIn(textOf(unit.target)) > 1 && lettersIn(textOf(unit.source)) > 1,
  )
  const [bySource, byTarget] = [new Map<string, CheckedText>(), new Map<string, CheckedText>()]
  for (const row of full) {
    const { at, unit, source, target } = row
    const [twin, other] = [bySource.get(source), byTarget.get(target)]
    if (twin && twin.target !== target && !areForms(twin.unit.id, unit.id))
      add(at, 'repeat', {
        message: `${calledOf(twin.unit)} has the same source but another translation.`,
        fact: { says: 'otherTranslation', where: whereOf(twin.unit) },
      })
    if (
      other &&
      loose(other.unit.source) !== loose(unit.source) &&
      !areForms(other.unit.id, unit.id)
    )
      add(at, 'reused', {
        message: `${calledOf(other.unit)} has the same translation but another source.`,
        fact: { says: 'otherSource', where: whereOf(other.unit) },
      })
    if (!twin) bySource.set(source, row)
    if (!other) byTarget.set(target, row)
  }
  for (const [at, missing] of missingInFile(units, targetLanguage))
    add(at, 'plurals', {
      message: `The plural has no form ${listed(missing)}, which the target language needs.`,
      fact: { says: 'forms', ...namesOf(missing) },
    })
  return found
}

const calledOf = ({ id, position }: TextUnit): string =>
  position === undefined ? `"${show(id)}"` : `Segment ${position}`
const whereOf = ({ id, position }: TextUnit): string =>
  position === undefined ? show(id) : String(position)

/** The checks that compare texts with each other, of some units; by the index of the unit. */
export const comparedChecks = ['repeat', 'reused'] as const satisfies CheckName[]
export function compareUnits(
  units: readonly TextUnit[],
  targetLanguage: string,
): ReadonlyMap<number, CheckFinding[]> {
  const found = compareTexts(units, targetLanguage)
  const isCompared = ({ check }: CheckFinding) => comparedChecks.some((name) => name === check)
  return new Map([...found].map(([at, findings]) => [at, findings.filter(isCompared)]))
}

const textOf = (parts: TextParts): string =>
  parts.filter((part) => typeof part === 'string').join(' ')
const keyOf = (parts: TextParts): string => JSON.stringify(parts)
/** Case, punctuation and spaces make no other text. */
const loose = (parts: TextParts): string =>
  textOf(parts)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const forms: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

/** `days/one`, `days.one` and `days_one` are forms of `days`. */
function formOf(id: string): { readonly name: string; readonly form: string } | undefined {
  const at = Math.max(id.lastIndexOf('/'), id.lastIndexOf('.'), id.lastIndexOf('_'))
  const form = id.slice(at + 1)
  const name = id.slice(0, at)
  // Ordinal numbers have other forms: 1st, 2nd, 3rd.
  return at > 0 && forms.has(form) && !name.endsWith('_ordinal') ? { name, form } : undefined
}

function areForms(one: string, other: string): boolean {
  const [first, second] = [formOf(one), formOf(other)]
  return first !== undefined && first.name === second?.name
}

/**
 * Plurals of a file whose forms are units of their own. The finding stands at the form `other`,
 * which every plural has.
 */
function missingInFile(
  units: readonly TextUnit[],
  language: string,
): [at: number, missing: string[]][] {
  const plurals = new Map<string, { at: number; forms: Set<string> }>()
  units.forEach(({ id }, at) => {
    const found = formOf(id)
    if (!found) return
    const plural = plurals.get(found.name) ?? { at, forms: new Set() }
    plural.forms.add(found.form)
    plurals.set(found.name, found.form === 'other' ? { ...plural, at } : plural)
  })
  return [...plurals.values()]
    .filter((plural) => plural.forms.has('other') && plural.forms.size > 1)
    .map(({ at, forms: has }): [number, string[]] => [at, missingForms(has, language)])
    .filter(([, missing]) => missing.length > 0)
}
