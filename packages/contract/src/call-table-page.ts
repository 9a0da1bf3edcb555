/**
 * Generates call-table.ts: the part of the endpoint table that a client needs at run time, without
 * the schemas.
 */

import { consoleEndpoints } from './console-endpoints.ts'
import type { Endpoint } from './endpoints/row.ts'
import { endpoints } from './endpoints.ts'

export function callTablePage(): string {
  return `/** Made by \`npm run generate\` from the endpoint tables; do not edit. A client loads this in place of the schemas. */
export type CallRow = {
  readonly call: \`\${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /\${string}\`
  readonly collection?: string
  readonly redirects?: true
  readonly takes?: string
  readonly gives?: true
}

export const callTable: Readonly<Record<string, CallRow>> = {
${linesOf(endpoints)}
}

/** Calls that only the console makes. */
export const consoleCallTable: Readonly<Record<string, CallRow>> = {
${linesOf(consoleEndpoints)}
}
`
}

function linesOf(table: Readonly<Record<string, Endpoint>>): string {
  const rows = Object.entries(table).map(([name, row]) => {
    const members = [
      `call: '${row.call}'`,
      ...(row.collection === undefined ? [] : [`collection: '${row.collection}'`]),
      ...(row.redirects ? ['redirects: true'] : []),
      ...(row.takes ? [`takes: '${row.takes[0]}'`] : []),
      ...(row.gives ? ['gives: true'] : []),
    ]
    const line = `  ${name}: { ${members.join(', ')} },`
    return line.length <= 100
      ? line
      : `  ${name}: {\n${members.map((one) => `    ${one},\n`).join('')}  },`
  })
  return rows.join('\n')
}
