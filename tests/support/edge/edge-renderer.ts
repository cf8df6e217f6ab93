/** A renderer of plain text in place of the compiled one of the Worker. */
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { CompiledRenderer } from '../../../src/edge/search/compiled-renderer.ts'
import { createSite } from '../site.ts'

export function createEdgeRenderer(
  code = 'one',
  render: (page: ScreenPage) => string = (page) => JSON.stringify(page),
): CompiledRenderer {
  return {
    code,
    site: createSite({ url: 'https://vitrina.example' }),
    policy: `policy of ${code}`,
    headers: [['X-Content-Type-Options', 'nosniff']],
    render: async (page) => `${code} ${render(page)}`,
  }
}
