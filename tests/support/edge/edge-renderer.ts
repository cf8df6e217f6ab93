/** A renderer of plain text in place of the compiled one of the Worker. */
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import type { EdgeRenderer } from '../../../src/edge/objects/edge-renderer.ts'
import { createSite } from '../site.ts'

export function createEdgeRenderer(
  code = 'one',
  render: (page: ScreenPage) => string = (page) => JSON.stringify(page),
): EdgeRenderer {
  return {
    code,
    intake: 'intake',
    format: 1,
    site: createSite({ url: 'https://vitrina.example' }),
    policy: `policy of ${code}`,
    homePicture: 'social/home.png',
    headers: [['X-Content-Type-Options', 'nosniff']],
    render: async (page) => `${code} ${render(page)}`,
  }
}
