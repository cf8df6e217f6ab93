/** Running Cloudflare's tool, with a script in its place that prints what the real one may print. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { createWrangler } from '../../../../src/builder/publish/cloudflare/wrangler.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'

const path = useTemporaryFolder()

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  CLOUDFLARE_API_TOKEN: 'cloudflare-token-canary',
  REBUILD_SECRET: 'whsec_rebuild-secret-canary',
  DISPATCH_GITHUB_TOKEN: 'github-token-canary',
}

/** Longer than any machine takes to start a tool, in milliseconds. */
const PATIENCE = 120_000

const WRITE = "require('fs').appendFileSync(process.env.WRANGLER_OUTPUT_FILE_PATH, JSON.stringify("

beforeEach(() => mkdirSync(path('node_modules/wrangler/wrangler-dist'), { recursive: true }))

function run(
  program: string,
  timeout = PATIENCE,
  stage: string | null = null,
  assets?: string,
): ReturnType<ReturnType<typeof createWrangler>> {
  writeFileSync(path('node_modules/wrangler/wrangler-dist/cli.js'), program)
  return createWrangler({
    root: path('.'),
    environment: ENVIRONMENT,
    stage,
    ...(assets !== undefined && { assets }),
  })(['versions', 'list'], timeout)
}

it('returns the output of the tool and the values that it writes for programs', async () => {
  const program = `console.log(process.argv.slice(2).join()); ${WRITE}{ type: 'a', version_id: 'v' }) + '\\n')`
  expect(await run(program)).toEqual({
    stdout: 'versions,list\n',
    entries: [{ type: 'a', version_id: 'v' }],
  })
})

it('passes the token to the tool, and no secret that the tool does not need', async () => {
  const { stdout } = await run('console.log(Object.keys(process.env).join(" "))')
  expect(stdout).toContain('CLOUDFLARE_API_TOKEN')
  expect(stdout).not.toMatch(/REBUILD|DISPATCH/)
})

it('names the environment of a stage', async () => {
  const { stdout } = await run('console.log(process.argv.slice(2).join())', PATIENCE, 'staging')
  expect(stdout).toBe('versions,list,--env,staging\n')
})

it('names the folder of the site', async () => {
  const { stdout } = await run('console.log(process.argv.slice(2).join())', PATIENCE, 'staging', 'site')
  expect(stdout).toBe('versions,list,--env,staging,--assets,site\n')
})

it('disables telemetry', async () => {
  const { stdout } = await run('console.log(JSON.stringify(process.env))')
  expect(JSON.parse(stdout)).toMatchObject({
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
  })
})

it('fails with the reason that the tool prints, without secrets', async () => {
  const reason = 'A request with Bearer cloudflare-token-canary failed.'
  const program = `${WRITE}{ type: 'command-failed', message: '${reason}' }) + '\\n');
    console.error('\\x1b[31mnot allowed: github-token-canary [code: 10000]\\x1b[0m'); process.exit(1)`
  await expect(run(program)).rejects.toThrow(
    'A request with Bearer [secret] failed. not allowed: [secret] [code: 10000]',
  )
})

it('fails with the last line of output if the tool prints no reason', async () => {
  await expect(run('console.error("Segmentation fault"); process.exit(139)')).rejects.toThrow(
    'Segmentation fault',
  )
})

it('ends a tool that exceeds its time limit', async () => {
  await expect(run('setInterval(() => {}, 1000)', 300)).rejects.toThrow('wrangler did not end within 0.3 s')
})
