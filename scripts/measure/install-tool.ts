/** Installs an npm package on demand into its own folder, so that it need not be a dependency of the project. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Tool {
  readonly name: string
  /** An exact version, not a range. */
  readonly version: string
  readonly folder: string
}

/**
 * Installs the package, without running install scripts, unless this version is installed already. Returns its folder.
 * Throws if npm fails.
 */
export async function installTool(
  { name, version, folder }: Tool,
  progress: (text: string) => void,
): Promise<string> {
  const installed = join(folder, 'node_modules', name)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: { [name]: version } })
  const file = join(folder, 'package.json')
  const isInstalled = existsSync(installed) && existsSync(file) && readFileSync(file, 'utf8') === manifest
  if (isInstalled) return installed
  progress(`Installing ${name} ${version}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: folder, shell: process.platform === 'win32' }
  try {
    await promisify(execFile)('npm', ['install', ...flags], options)
  } catch (cause) {
    const advice = 'Check the network and `npm config get registry`, then run again.'
    throw new Error(`${name} ${version} could not be installed. ${advice}`, { cause })
  }
  return installed
}
