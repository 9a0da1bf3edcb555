/** The support assets and TM updates of a job for the rooms above this one. */
export { type AssetWithFile, selectAssets as readAssets } from './asset-rows.ts'
export { selectTmUpdates as readTmUpdates, type TmUpdateWithFile } from './tm-update-rows.ts'
