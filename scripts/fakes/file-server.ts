/** Serves the files of a version without running its Worker, for tests that do not call `/api`. */
import type { AssetStore } from './asset-store.ts'
import type { VersionServer } from './edge-site.ts'
import type { FakeVersion } from './worker-version.ts'

export function createFileServer(assets: AssetStore): VersionServer {
  let shown: FakeVersion | null = null
  return {
    show: async (version) => void (shown = version),
    answer: ({ url = '/' }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://site').pathname)
      const names = path === '/' ? ['/index.html'] : [path, `${path}.html`]
      const hash = names.map((name) => shown?.files.get(name)).find((found) => found !== undefined)
      const content = assets.read(hash)
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(content)
    },
    runSchedule: async () => {},
    deleteObjects: async () => 0,
    countObjects: async () => 0,
    close: async () => {},
  }
}
