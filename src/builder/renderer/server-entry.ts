/** The exports of the compiled renderer: Astro's app, and a renderer that uses prepared routes. */
export { createApp } from 'astro/app/entrypoint'
export { createRenderer } from './prepared-routes.ts'
