/** `npm run rebuild -- [options]`: brings the output folder up to the source. */
import module from 'node:module'

module.enableCompileCache()
// React's development build is slower and makes other markup.
process.env['NODE_ENV'] = 'production'
// Whoever reads what is printed may stop reading (`| head`): the rebuild goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const { runRebuild } = await import('./run-rebuild.ts')
process.exitCode = await runRebuild(process.argv.slice(2))
