/** Generates call-table.ts: what a client needs of the endpoint table at run time, without the schemas. */

import type { Endpoint } from './endpoints/row.ts'
import { endpoints } from './endpoints.ts'

export function callTablePage(): string {
  const rows = Object.entries<Endpoint>(endpoints).map(([name, row]) => {
    const members = [
      `call: '${row.call}'`,
      ...(row.collection === undefined ? [] : [`collection: '${row.collection}'`]),
      ...(row.redirects ? ['redirects: true'] : []),
    ]
    const line = `  ${name}: { ${members.join(', ')} },`
    return line.length <= 120 ? line : `  ${name}: {\n${members.map((one) => `    ${one},\n`).join('')}  },`
  })
  return `/** Made by \`npm run generate\` from the endpoint table; do not edit. A client loads this in place of the schemas. */
export type CallRow = {
  readonly call: \`\${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /\${string}\`
  readonly collection?: string
  readonly redirects?: true
}

export const callTable: Readonly<Record<string, CallRow>> = {
${rows.join('\n')}
}
`
}
