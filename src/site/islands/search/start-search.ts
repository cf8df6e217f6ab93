/** The inline script of pages that search all catalogues: loads `answer-typing.ts` at the first touch of the box. */
import { readPath } from '../catalogue/view-address.ts'

const address = document.currentScript?.dataset['module'] ?? ''
const box = document.querySelector('input')
const path = readPath()
let isAnswering = false

const load = async (): Promise<void> => {
  try {
    // The browser runs a module only once, however often it is imported.
    await import(/* @vite-ignore */ address)
    isAnswering = true
  } catch {
    // The form works without the module.
  }
}

for (const sign of ['focus', 'input']) box?.addEventListener(sign, load)
// The module may have created this history entry before a reload. Until it runs again, only a reload shows the entry.
addEventListener('popstate', () => {
  if (!isAnswering && readPath() !== path) location.reload()
})
