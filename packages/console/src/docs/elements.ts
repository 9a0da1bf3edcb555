/** Creates elements from text alone: nothing here parses markup. */
type Attributes = Readonly<Record<string, string>>

export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** The path under which the hub is served. */
export const prefix = document.body.dataset.prefix ?? ''
