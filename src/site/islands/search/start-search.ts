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
// The module may have made this history entry before a reload. Until it runs again, only a reload shows the entry.
addEventListener('popstate', () => {
  if (!isAnswering && readPath() !== path) location.reload()
})
