/** The folder of all temporary files of one run of the tests. It is removed at the end, with what killed programs left. */
import {
  findScratchFolder,
  openScratchFolder,
  removeScratchFolder,
} from '../../../scripts/measure/scratch-folder.ts'

const LABEL = 'test-run'

export const TEMPORARY = findScratchFolder(LABEL)

export function setup(): () => void {
  openScratchFolder(LABEL)
  return () => removeScratchFolder(TEMPORARY)
}
