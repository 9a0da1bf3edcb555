/**
 * Two questions over the page, which stays as it is: sign in again when the session has ended, and
 * confirm your identity before secrets or people are changed. What waited for the answer then
 * continues by itself.
 */
import type { Session } from '@dragoman/contract/wire'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { asks, failures, type HubFailure } from '../hub.ts'
import { orMissing } from '../missing-file.ts'
import { readSession } from '../session.tsx'
import { loadWords, useLanguage } from '../words/words.ts'
import type { QuestionProps } from './questions.tsx'

let language = 'en' as Parameters<typeof loadWords>[0]
const Questions = lazy(
  async () =>
    (await orMissing(Promise.all([import('./questions.tsx'), loadWords(language, 'signin')])))[0],
)

export function Asking({
  session,
  onSession,
}: {
  readonly session: Session
  readonly onSession: (session: Session) => void
}) {
  const client = useQueryClient()
  language = useLanguage()
  const [question, setQuestion] = useState<QuestionProps['question'] | undefined>()
  const waiting = useRef<((done: boolean) => void)[]>([])
  useEffect(() => {
    const ask = (wanted: QuestionProps['question']) => () =>
      new Promise<boolean>((resolve) => {
        waiting.current.push(resolve)
        setQuestion(wanted)
      })
    asks.SIGN_IN_NEEDED = ask('signIn')
    asks.CONFIRM_NEEDED = ask('confirm')
    const onFailure = (event: Event) => {
      const { code } = (event as CustomEvent<HubFailure>).detail
      if (code === 'SIGN_IN_NEEDED') setQuestion('signIn')
    }
    failures.addEventListener('failure', onFailure)
    return () => {
      asks.SIGN_IN_NEEDED = undefined
      asks.CONFIRM_NEEDED = undefined
      failures.removeEventListener('failure', onFailure)
    }
  }, [])
  const answer = (done: boolean) => {
    setQuestion(undefined)
    for (const go of waiting.current.splice(0)) go(done)
    if (done) void client.invalidateQueries()
  }
  const signedIn = async (found: Session) => {
    // Someone else must not continue what this person started.
    if (found.person.personId !== session.person.personId) return location.reload()
    onSession(await readSession())
    answer(true)
  }
  if (!question) return null
  return (
    <Suspense fallback={null}>
      <Questions
        question={question}
        session={session}
        onSignedIn={(found) => void signedIn(found)}
        onAnswer={answer}
      />
    </Suspense>
  )
}
