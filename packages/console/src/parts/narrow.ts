/**
 * Whether the screen is a phone's, or zoomed in to be as narrow: the width at which the style
 * sheets change, too.
 */
import { useSyncExternalStore } from 'react'

const narrowScreen = matchMedia('(max-width: 900px)')
const watch = (told: () => void): (() => void) => {
  narrowScreen.addEventListener('change', told)
  return () => narrowScreen.removeEventListener('change', told)
}

export const useNarrow = (): boolean => useSyncExternalStore(watch, () => narrowScreen.matches)
