/** Milliseconds of a clock that all processes of the machine share, finer than Date. */
export const sharedNow = (): number => performance.timeOrigin + performance.now()
