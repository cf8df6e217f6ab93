/** Entry of the rebuild command's bundle, imported by the launcher. */
export { runProgram } from '../program.ts'
export { command } from './run-rebuild.ts'
