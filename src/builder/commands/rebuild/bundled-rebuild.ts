/** What the bundle of the rebuild command offers to the launcher. */
export { runProgram } from '../program.ts'
export { command } from './run-rebuild.ts'
