/** Compiling the renderer failed. Pages stay as they are. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}
