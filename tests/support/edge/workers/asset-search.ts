/** A Worker beside static assets that searches them, and does nothing else. */
import { DurableObject } from 'cloudflare:workers'
import { answerSearch } from '../../../../src/edge/search/answer-search.ts'
import { createSearchLoader, createShellLoader } from '../../../../src/edge/search/load-search.ts'

export class BuildCoordinator extends DurableObject<object> {}
export class SearchShard extends DurableObject<object> {}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
const loadShell = createShellLoader()
const loadSearch = createSearchLoader({ now: Date.now, wait })

export default {
  fetch: (request: Request, { ASSETS }: { readonly ASSETS: { fetch(one: Request): Promise<Response> } }) =>
    answerSearch(request, {
      assets: ASSETS,
      loadShell,
      loadSearch,
      isAllowed: async () => true,
      wait,
      log: (line) => console.error(line),
    }),
}
