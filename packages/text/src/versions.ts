export { type Paired, pairVersions, type VersionUnit } from './versions/pair-versions.ts'
