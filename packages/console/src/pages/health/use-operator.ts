/** Whether the person is an operator. The server decides; this only explains. */
import { useSession } from '../../session.tsx'

export function useOperator(): boolean {
  const { sites } = useSession()
  return sites.some(({ roles }) => roles.includes('operator'))
}
