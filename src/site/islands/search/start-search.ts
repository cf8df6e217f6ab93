/** The inline script of pages that search all catalogues: fetches the module that answers when the box is touched. */
import { readPath } from '../catalogue/view-address.ts'

const address = document.currentScript?.dataset['module'] ?? ''
const box = document.querySelector('input')
const path = readPath()
let isAnswering = false

const load = async (): Promise<void> => {
  try {
    // A module runs once, however often it is imported.
    await import(/* @vite-ignore */ address)
    isAnswering = true
  } catch {
    // Without the module the form still works.
  }
}

for (const sign of ['focus', 'input']) box?.addEventListener(sign, load)
// The module may have made this entry of the history before a reload: then the page shows that of another entry.
addEventListener('popstate', () => {
  if (!isAnswering && readPath() !== path) location.reload()
})
