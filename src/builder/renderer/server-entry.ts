/** What the compiled renderer offers its host: `createApp().render(request, { locals })`. */
export { createApp } from 'astro/app/entrypoint'
