/**
 * The exports of the compiled renderer: Astro's app, a renderer that uses prepared routes, and the function with which
 * builders render a page in pieces.
 */
export { createApp } from 'astro/app/entrypoint'
export { renderInPieces } from './fast/page-pieces.ts'
export { createRenderer } from './fast/prepared-routes.ts'
