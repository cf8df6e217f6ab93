/** The code that calls the compiled renderer for a page. Bundled only to be hashed, never run. */
export { createScreenRenderer } from '../../../renderer/fast/render-screen.ts'
