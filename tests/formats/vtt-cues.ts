/** WebVTT as Chromium reads it. */

/** What the page of a player sees of a file. Runs in the browser. */
export const cuesOf = async (text: string): Promise<string[]> => {
  const video = document.createElement('video')
  const element = document.createElement('track')
  element.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
  video.append(element)
  element.track.mode = 'hidden'
  await new Promise((resolve) => {
    element.onload = resolve
    element.onerror = resolve
  })
  return Array.from(element.track.cues ?? [], (cue) => {
    const { id, startTime, endTime } = cue
    const tags = Array.from((cue as VTTCue).getCueAsHTML().querySelectorAll('*'), (one) =>
      one.outerHTML.replace(/>.*/s, ''),
    )
    return [id, startTime, endTime, ...tags].join(' ')
  })
}

/**
 * A sign that begins no tag hides the text behind it from a player; in a translation it is a
 * reference.
 */
export const hasNoStray = (text: string): boolean => !/<(?![^<>\r\n]{0,256}>)/.test(text)
