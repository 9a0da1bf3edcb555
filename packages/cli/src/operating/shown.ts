/**
 * What the lists of past events have in common: how they show times, and the filters by time and
 * site.
 */
export const timeText = (time: string): string => time.replace('T', ' ').replace('Z', '')

export const timeFilters = {
  since: {
    query: 'since',
    shown: 'TIME',
    says: 'only from this time on, for example 2026-11-14 or 2026-11-14T12:00Z',
  },
  until: { query: 'until', shown: 'TIME', says: 'only up to this time' },
} as const

export const siteFilter = {
  site: {
    query: 'siteId',
    shown: 'NAME',
    says: 'only this site; for an operator, who sees all of them',
  },
} as const
