/** The inline script of pages that search all catalogues: fetches the module that answers when the box is touched. */

// Without the module the form still works, so a failure is ignored. A module runs once, however often it is imported.
const address = document.currentScript?.dataset['module'] ?? ''
const load = (): Promise<unknown> => import(/* @vite-ignore */ address).catch(() => null)

const box = document.querySelector('input')
for (const sign of ['focus', 'input']) box?.addEventListener(sign, load)
