/** The part of Payload's types that this plugin uses: it compiles without Payload beside it. */

export type Doc = Record<string, unknown>

export type Field = {
  readonly type: string
  readonly name?: string
  readonly localized?: boolean
  readonly virtual?: boolean | string
  readonly hidden?: boolean
  readonly hasMany?: boolean
  readonly maxLength?: number
  readonly fields?: readonly Field[]
  readonly tabs?: readonly Tab[]
  readonly blocks?: readonly Block[]
  readonly blockReferences?: readonly (Block | string)[]
  readonly editor?: unknown
  readonly admin?: { readonly description?: unknown }
}
export type Tab = {
  readonly name?: string
  readonly localized?: boolean
  readonly fields: readonly Field[]
}
export type Block = { readonly slug: string; readonly fields: readonly Field[] }

export type Access = (args: { req: PayloadRequest; id?: string; data?: Doc }) => unknown
export type Hook<A> = (args: A) => unknown
export type Change = {
  readonly doc: Doc
  readonly req: PayloadRequest
  readonly context?: Readonly<Record<string, unknown>>
}
export type Collection = {
  readonly slug: string
  readonly fields: readonly Field[]
  readonly access?: { readonly update?: Access; readonly [more: string]: unknown }
  readonly versions?: unknown
  readonly auth?: unknown
  readonly admin?: { readonly useAsTitle?: string; readonly [more: string]: unknown }
  readonly hooks?: {
    readonly afterChange?: readonly Hook<Change>[]
    readonly [more: string]: unknown
  }
  readonly [more: string]: unknown
}
export type Config = {
  readonly collections?: readonly Collection[]
  readonly globals?: readonly Collection[]
  readonly blocks?: readonly Block[]
  readonly endpoints?: readonly Endpoint[]
  readonly localization?: unknown
  readonly routes?: { readonly api?: string }
  readonly onInit?: (payload: Payload) => unknown
  readonly [more: string]: unknown
}
export type Endpoint = {
  readonly path: string
  readonly method: 'get' | 'post' | 'put'
  readonly handler: (req: PayloadRequest) => Promise<Response>
}
export type PayloadRequest = {
  readonly user?: Doc | null
  readonly payload: Payload
  readonly headers: Headers
  readonly url?: string
  readonly context?: Record<string, unknown>
  readonly text?: () => Promise<string>
  readonly transactionID?: unknown
}

type Common = {
  readonly locale?: string
  readonly fallbackLocale?: false
  readonly depth?: 0
  readonly draft?: boolean
  readonly overrideAccess?: boolean
  readonly disableErrors?: boolean
  readonly context?: Readonly<Record<string, unknown>>
  readonly req?: PayloadRequest
}
type Written = Common & { readonly data: Doc; readonly publishSpecificLocale?: string }
export type Payload = {
  readonly config: {
    readonly collections: readonly Collection[]
    readonly globals: readonly Collection[]
    readonly blocks?: readonly Block[]
    readonly localization?:
      | false
      | { readonly defaultLocale: string; readonly localeCodes: readonly string[] }
    readonly routes: { readonly api: string }
  }
  readonly logger: { info(sentence: string): void; error(sentence: string): void }
  findByID(args: Common & { collection: string; id: string }): Promise<Doc | null>
  findGlobal(args: Common & { slug: string }): Promise<Doc>
  find(
    args: Common & {
      collection: string
      where: Doc
      limit: number
      pagination?: false
      sort?: string
    },
  ): Promise<{ readonly docs: readonly Doc[] }>
  create(args: Written & { collection: string }): Promise<Doc>
  update(args: Written & { collection: string; id: string }): Promise<Doc>
  updateGlobal(args: Written & { slug: string }): Promise<Doc>
  delete(args: Common & { collection: string; where: Doc }): Promise<unknown>
  count(args: Common & { collection: string; where: Doc }): Promise<{ readonly totalDocs: number }>
}
