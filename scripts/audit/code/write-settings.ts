/** Writes the table of settings in `docs/data.md`, and `.env.example`, from the schema of the settings. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTING_LIST } from '../../../src/builder/commands/settings.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

const TABLE = /^\| setting +\| meaning [^\n]*\n(\|[^\n]*\n)+/m

/** Read by Cloudflare's tool. */
const CLOUDFLARE = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID']

const HEAD = `# Settings of Vitrina. Copy this file to .env and uncomment what you need: each line shows the default.
# docs/data.md explains them; the Worker's own variables are in docs/operate.md.
`

export function writeSettings(): void {
  const path = join(ROOT, 'docs/data.md')
  writeFileSync(path, readFileSync(path, 'utf8').replace(TABLE, formatTable))
  writeFileSync(join(ROOT, '.env.example'), formatExample())
}

function formatTable(): string {
  const rows = SETTING_LIST.map(({ name, meaning, usual }) => [
    `\`${name}\``,
    meaning,
    usual === null ? '–' : `\`${usual}\``,
  ])
  const lines = [['setting', 'meaning', 'default'], ['-', '-', '-'], ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

export function formatExample(): string {
  const settings = SETTING_LIST.map(
    ({ name, meaning, usual }) => `\n# ${formatPlain(meaning)}.\n# ${name}=${usual ?? ''}\n`,
  )
  const own = CLOUDFLARE.map((name) => `# ${name}=\n`)
  return `${HEAD}${settings.join('')}\n# For publishing; Cloudflare's tool reads them.\n${own.join('')}`
}

/** Removes marks of Markdown, and begins with a capital letter. */
function formatPlain(meaning: string): string {
  const text = meaning.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
  return /^[a-z]+[ :]/.test(text) ? text[0]?.toUpperCase() + text.slice(1) : text
}
