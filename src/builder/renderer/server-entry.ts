/** The exports of the compiled renderer: `createApp().render(request, { locals })`, and pages in pieces for builders. */
export { createApp } from 'astro/app/entrypoint'
export { renderInPieces } from './page-pieces.ts'
