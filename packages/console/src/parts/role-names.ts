/** The names of roles in the language of the reader. */
import type { Role } from '@dragoman/contract/wire'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'

export function useRoleName(): (role: Role) => string {
  const t = useWords<keyof typeof en>('parts')
  return (role) => t(`role.${role}`)
}
