/** The job of a command: the named one, otherwise the last one that this project pushed. */
import { UsageError } from '../command.ts'
import type { Joined } from './hub-connection.ts'
import { readState } from './push/push-state.ts'

export async function whichJob({ folder }: Joined, named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const pushed = await readState(folder)
  if (pushed?.jobId !== undefined) return pushed.jobId
  throw new UsageError('Specify the job: nothing has been pushed from this project yet.')
}
