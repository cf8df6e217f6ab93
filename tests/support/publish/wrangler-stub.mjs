/**
 * Stands for wrangler. Its account is the folder WRANGLER_STUB: `calls.ndjson` records each call, `versions/<id>` has the
 * assets of each version, `live` those of the live one, and `behave.json` says which commands fail or hang.
 */
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const account = process.env.WRANGLER_STUB ?? ''
const file = (...names) => join(account, ...names)

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    env: { type: 'string' },
    assets: { type: 'string' },
    message: { type: 'string' },
    yes: { type: 'boolean', short: 'y' },
  },
})
const commands = ['versions upload', 'versions deploy', 'deploy', 'rollback', 'r2 bucket create']
const name = commands.find((one) => positionals.join(' ').startsWith(one)) ?? 'unknown'
const rest = positionals.slice(name.split(' ').length)

mkdirSync(file('versions'), { recursive: true })
appendFileSync(file('calls.ndjson'), `${JSON.stringify({ name, rest, ...values, secrets: listSecrets() })}\n`)

const behaviour = readJson('behave.json')[name]
if (behaviour === 'fail') fail(`The request failed with ${process.env.CLOUDFLARE_API_TOKEN}. [code: 10013]`)
else if (behaviour === 'hang') hang()
else {
  act()
  // As if Cloudflare had carried out a call whose answer was lost.
  if (behaviour === 'lose') fail('A fetch request failed.')
}

function act() {
  switch (name) {
    case 'versions upload':
      console.log(`Found 3 new or modified static assets to upload.\nWorker Version ID: ${upload()}`)
      break
    case 'versions deploy':
      putLive(rest[0]?.replace(/@100$/, ''))
      break
    case 'deploy': {
      const version = upload()
      if (values.assets !== undefined) putLive(version)
      console.log(`Current Version ID: ${version}`)
      break
    }
    case 'rollback':
      putLive(rest[0] ?? listDeployed().at(-2))
      break
    case 'r2 bucket create':
      if (existsSync(file('bucket'))) fail('The bucket you tried to create already exists [code: 10004]')
      mkdirSync(file('bucket'), { recursive: true })
      break
    default:
      fail(`Unknown arguments: ${positionals.join(', ')}`)
  }
}

function upload() {
  const version = `00000000-0000-4000-8000-${String(readdirSync(file('versions')).length).padStart(12, '0')}`
  mkdirSync(file('versions', version))
  if (values.assets !== undefined) cpSync(values.assets, file('versions', version), { recursive: true })
  return version
}

function putLive(version = '') {
  rmSync(file('live'), { recursive: true, force: true })
  cpSync(file('versions', version), file('live'), { recursive: true })
  writeFileSync(file('deployed.json'), JSON.stringify([...listDeployed(), version]))
}

function listDeployed() {
  return existsSync(file('deployed.json')) ? readJson('deployed.json') : []
}

function hang() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  writeFileSync(file('child.pid'), String(child.pid))
  setInterval(() => {}, 1_000)
}

function fail(message) {
  console.error(`✘ [ERROR] ${message}`)
  process.exitCode = 1
}

function listSecrets() {
  return Object.keys(process.env).filter((one) => one.endsWith('_SECRET'))
}

function readJson(path) {
  return existsSync(file(path)) ? JSON.parse(readFileSync(file(path), 'utf8')) : {}
}
