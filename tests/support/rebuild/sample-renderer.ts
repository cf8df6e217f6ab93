/** The compiled renderer of this project, which all tests share. */
import { copyCompiledProject } from '../../../scripts/measure/copy-project.ts'
import { hashInputs } from '../../../src/builder/commands/rebuild/open-renderers.ts'
import { compileRenderer, findRenderer } from '../../../src/builder/renderer/compile.ts'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import { ROOT, STORE } from '../../../src/builder/state/project-folder.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'

/** Returns the folder of the server bundle. React is loaded as in production from then on. */
export function findSampleServer(): string {
  process.env['NODE_ENV'] = 'production'
  const kept = findRenderer(STORE, hashInputs())
  if (kept === null) throw new Error('the site under test was built from other code')
  return kept.server
}

/** Compiles this project, if no other test has. */
export async function ensureCompiled(): Promise<void> {
  await compileRenderer({ root: ROOT, store: STORE, code: hashInputs() }, hashInputs)
}

/** Copies this project with its renderer into `folder`; `parts` as for `copyProject`. */
export async function copyCompiled(folder: string, parts?: readonly string[]): Promise<void> {
  await ensureCompiled()
  copyCompiledProject(folder, parts)
}

/** Renders a page as text: a part of its pieces are bytes. */
export async function renderPageText(renderer: Renderer, page: ScreenPage): Promise<string> {
  const pieces = await renderer.render(page)
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
}
