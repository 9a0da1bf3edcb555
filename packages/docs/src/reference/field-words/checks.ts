/** Fields of the checks of translations, and of the texts that they read. */
export const checkFields = {
  'Check.check': 'The name of the check.',
  'Check.severity': 'What a finding of the check does on this site.',
  'CheckFinding.severity': 'How severe the finding is on this site.',
  'CheckFinding.check': 'The check that found it.',
  'CheckFinding.fix': 'The fixed translation. Absent if no rule can fix it.',
  'CheckedText.maxLength': 'The longest translation that its place allows.',
  'MaxLength.count': 'The maximum number of characters or bytes.',
  'MaxLength.unit': 'What is counted.',
} as const satisfies Readonly<Record<string, string>>
