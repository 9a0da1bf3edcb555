/** Whether a path matches a route pattern: `/jobs/:jobId/:tab?`. */
export function hasForm(form: string, path: string): boolean {
  const [asked, given] = [form.split('/'), path.split('/')]
  if (given.length > asked.length) return false
  return asked.every((part, at) =>
    part.startsWith(':') ? part.endsWith('?') || given[at] : part === given[at],
  )
}
