/** Copies a template into the current folder: existing files are not replaced unless forced. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '@dragoman/sdk/node'
import { Refusal, UsageError } from '../command.ts'
import { didYouMean } from '../nearest.ts'
import { templates } from './templates.ts'

export const templateNames = Object.keys(templates)

export async function copyTemplate(
  name: string,
  folder: string,
  force: boolean,
): Promise<string[]> {
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined
  if (!template)
    throw new UsageError(
      `There is no template "${name}"; the templates are ${templateNames.join(', ')}.${didYouMean(name, templateNames)}`,
    )
  const paths = Object.keys(template)
  const there = paths.filter((path) => existsSync(join(folder, path)))
  if (there.length > 0 && !force)
    throw new Refusal(
      `Nothing was written, because these files exist: ${there.join(', ')}. --force replaces them.`,
    )
  for (const [path, text] of Object.entries(template))
    await writeWhole(join(folder, path), [Buffer.from(text)])
  return paths
}
