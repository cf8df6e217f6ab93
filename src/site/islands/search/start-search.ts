/** The inline script of pages that search all catalogues: the first touch of the box fetches `answer-typing.ts`. */
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
// If the module made this entry of the history before a reload, the page still shows the content of another entry.
addEventListener('popstate', () => {
  if (!isAnswering && readPath() !== path) location.reload()
})
