/** The code does not compile: pages stay as they are. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}
