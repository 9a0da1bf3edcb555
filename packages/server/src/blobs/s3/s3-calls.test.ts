import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openCalls } from './s3-calls.ts'
import { readS3Url } from './s3-url.ts'

it('an object store is opened without a warning of its client', async () => {
  const heard: Error[] = []
  const hear = (warning: Error) => heard.push(warning)
  process.on('warning', hear)
  onTestFinished(() => {
    process.off('warning', hear)
  })
  await openCalls(readS3Url('s3://bucket/files?region=eu-central-1'))
  await setImmediate()
  expect(heard).toEqual([])
})
