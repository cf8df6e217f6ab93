/** The inline script of pages that search all catalogues: loads `answer-typing.ts` at the first touch of the box. */
import { readPath } from '../catalogue/view-address.ts'

let address = document.currentScript?.dataset['module'] ?? ''
const box = document.querySelector('input')
const path = readPath()
let isAnswering = false

const load = async (): Promise<void> => {
  try {
    // The browser runs a module only once, however often it is imported.
    await import(/* @vite-ignore */ address)
    isAnswering = true
  } catch {
    // The form works without the module. The next touch tries again, with a longer fragment, because many browsers
    // remember for each address with its fragment that its module has failed.
    address += '#'
  }
}

for (const sign of ['focus', 'input']) box?.addEventListener(sign, load)
// Before a reload, `answer-typing.ts` may have pushed the history entry to which the visitor returns. That module runs
// again only once the box is touched. Until then, the page must be reloaded to show the entry.
addEventListener('popstate', () => {
  if (!isAnswering && readPath() !== path) location.reload()
})
