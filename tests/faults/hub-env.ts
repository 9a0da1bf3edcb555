/** The environment that a command needs to reach the stores of a hub that runs in this process. */
import type { Hub } from '@dragoman/server'

export const envOf = ({ config }: Hub): Record<string, string> => ({
  DRAGOMAN_PROFILE: config.profile,
  DRAGOMAN_DATA: config.data,
  DRAGOMAN_DATABASE_URL: config.databaseUrl,
  DRAGOMAN_BLOBS_URL: config.blobsUrl,
  ...(config.masterKey && { DRAGOMAN_MASTER_KEY: config.masterKey.toString('hex') }),
})
