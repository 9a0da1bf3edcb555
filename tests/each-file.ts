/**
 * Runs before every test file. Generated inputs are the same in every run, so that the gate fails
 * because of a change and never by chance; PROPERTY_SEED=<number> tries others, and a failure names
 * its seed.
 */
import fc from 'fast-check'
import { chooseDatabases } from './databases.ts'
import { seeFunctions } from './seen-functions.ts'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 42) })
chooseDatabases()
await seeFunctions()
