/** Environment variables of two machines: that of the person who follows the docs, and GitHub's runner. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'

type Environment = Readonly<Record<string, string>>

/** Variables of this process that are passed on, because the installation of packages may need them. */
const PASSED = /^(TMPDIR|LANG|TERM|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i

/** `network` contains the variables that make tools call the stand-ins. */
export function createMachine(folder: string, network: Environment): Environment {
  return { ...createHome(join(folder, 'home')), ...network, PATH: process.env['PATH'] ?? '' }
}

/** The runner has this machine's Node and npm, but no program of the project's packages on its PATH. */
export function createRunner(folder: string, network: Environment): Environment {
  const bin = join(folder, 'runner-bin')
  mkdirSync(bin)
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  const PATH = paths.join(delimiter)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const tool of ['npm', 'npx']) {
    const found = execFileSync('bash', ['--norc', '-c', `command -v ${tool}`], { env: { PATH } })
    symlinkSync(realpathSync(String(found).trim()), join(bin, tool))
  }
  return { ...createHome(join(folder, 'runner-home')), ...network, PATH: [bin, PATH].join(delimiter) }
}

function createHome(home: string): Environment {
  mkdirSync(home)
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name))
  return {
    ...(Object.fromEntries(passed) as Environment),
    HOME: home,
    npm_config_userconfig: join(process.env['HOME'] ?? '', '.npmrc'),
    npm_config_update_notifier: 'false',
    WRANGLER_SEND_METRICS: 'false',
    ASTRO_TELEMETRY_DISABLED: '1',
  }
}
