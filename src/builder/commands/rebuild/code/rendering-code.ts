/** The code that calls the compiled renderer for a page. An entry for the bundler, never imported. */
export { createScreenRenderer } from '../../../renderer/fast/render-screen.ts'
