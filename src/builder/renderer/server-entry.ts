/** The exports of the compiled renderer: Astro's app, pages of prepared routes, and pages in pieces for builders. */
export { createApp } from 'astro/app/entrypoint'
export { renderInPieces } from './fast/page-pieces.ts'
export { createRenderer } from './fast/prepared-routes.ts'
