/** The model that ships with the hub, read with the first translation that asks for it. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { languageOf } from '@dragoman/text/checks'
import { type Fit, formFit, type PairModel, readRiskModel } from '@dragoman/text/risk'

const file = new URL('../../../../models/risk.br', import.meta.url)

export type ShippedModel = {
  /** Of its bytes: what was measured by another model cannot be compared. */
  readonly id: string
  readonly pairs: ReadonlyMap<string, PairModel>
  /** By the form of the texts alone, for pairs that it does not know. */
  readonly form: Fit
}

let opened: Promise<ShippedModel> | undefined

export function openRiskModel(): Promise<ShippedModel> {
  if (opened) return opened
  const reading = readModel()
  opened = reading
  // What failed is not kept.
  reading.catch(() => {
    opened = undefined
  })
  return reading
}

async function readModel(): Promise<ShippedModel> {
  const packed = await readFile(file)
  const pairs = readRiskModel(await promisify(brotliDecompress)(packed))
  return { id: hash('sha256', packed, 'base64url').slice(0, 16), pairs, form: formFit(pairs) }
}

export type Languages = { readonly sourceLanguage: string; readonly targetLanguage: string }
export type Pair = { readonly source: string; readonly target: string }

/** The languages without their regions: what is learned of de-AT holds for de-DE. */
export const pairOf = ({ sourceLanguage, targetLanguage }: Languages): Pair => ({
  source: languageOf(sourceLanguage).base,
  target: languageOf(targetLanguage).base,
})

export const nameOf = ({ source, target }: Pair): string => `${source}-${target}`
