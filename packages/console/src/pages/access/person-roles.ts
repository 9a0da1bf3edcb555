/** The roles that an admin of a site can grant, and those that a person has there. */
import { type Role, roles } from '@dragoman/contract/wire'
import type { CallAnswer } from '../../hub.ts'

export type Person = CallAnswer<'findPerson'>

/** Roles in a site: an operator belongs to none. */
export const siteRoles = roles.filter((role) => role !== 'operator')

export const rolesIn = ({ sites }: Pick<Person, 'sites'>, siteId: string): readonly Role[] =>
  sites.find((site) => site.siteId === siteId)?.roles ?? []
