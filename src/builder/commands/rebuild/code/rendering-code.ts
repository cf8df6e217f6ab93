/** The code that asks the compiled renderer for a page. For the bundler: never loaded. */
export { createScreenRenderer } from '../../../renderer/render-screen.ts'
