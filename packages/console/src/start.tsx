/** Reads who is signed in, then shows the shell. */
import { useQuery } from '@tanstack/react-query'
import { Failed, Loading } from './parts/said.tsx'
import { readSession, SessionContext } from './session.tsx'
import { Shell } from './shell.tsx'

export function Start() {
  const session = useQuery({
    queryKey: ['findSession', 'start'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (session.data)
    return (
      <SessionContext value={session.data}>
        <Shell />
      </SessionContext>
    )
  if (session.error) return <Failed failure={session.error as never} retry={() => void session.refetch()} />
  return <Loading rows={0} />
}
