/** The texts that every page uses, as one file of the build. */
import palette from './palette.json'
import parts from './parts.json'
import shell from './shell.json'
import states from './states.json'

export default { palette, parts, shell, states }
