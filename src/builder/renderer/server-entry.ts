/** The exports of the compiled renderer: `createApp().render(request, { locals })`. */
export { createApp } from 'astro/app/entrypoint'
