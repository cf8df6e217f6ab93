/** `publish:waiting`, with children that note what they got and end with these codes, one after another. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { createTerminal } from '../../../src/builder/commands/program.ts'
import { createProgress } from '../../../src/builder/commands/terminal/progress.ts'
import { publishWaiting } from '../../../src/builder/commands/publish-waiting.ts'

interface Run {
  readonly exit: number
  readonly calls: readonly string[]
  /** Printed on stderr, as the runner reads it. */
  readonly warned: string
  /** Contents and mode of the file of credentials, while the last child ran. */
  readonly credentials: string
  readonly isLeft: boolean
}

async function publish(
  codes: readonly (number | null)[],
  options: { isFull?: boolean; allowsShrink?: boolean; credentials?: string } = {},
  /** Aborted during the pause after the first child. */
  ending: AbortController | null = null,
): Promise<Run> {
  const left = [...codes]
  const calls: string[] = []
  let [warned, credentials, file] = ['', '', '']
  const printed = vi.spyOn(console, 'error').mockImplementation((line) => void (warned += line))
  const { exit } = await publishWaiting(
    { isFull: false, allowsShrink: false, credentials: '', ...options },
    {
      ...createTerminal(createProgress('publish:waiting'), false),
      listenForEnd: () => (ending ?? new AbortController()).signal,
    },
    {
      pause: ending === null ? 0 : 60_000,
      run: async (args, _, { GOOGLE_APPLICATION_CREDENTIALS = '', GOOGLE_CREDENTIALS }) => {
        calls.push(args.join(' '))
        setImmediate(() => ending?.abort())
        file = GOOGLE_APPLICATION_CREDENTIALS
        if (file !== '')
          credentials = `${readFileSync(file, 'utf8')} ${(statSync(file).mode & 0o777).toString(8)} ${GOOGLE_CREDENTIALS}`
        return left.shift() ?? null
      },
    },
  )
  printed.mockRestore()
  return { exit, calls, warned, credentials, isLeft: existsSync(file) }
}

describe('publish:waiting', () => {
  it('continues with a warning after failed pages, and stops after any other error', async () => {
    expect(await publish([EXIT.done])).toMatchObject({ exit: 0, warned: '' })
    const { exit, warned } = await publish([EXIT.pageFailed])
    expect([exit, warned]).toEqual([0, expect.stringMatching(/^::warning::/)])
    const good: readonly number[] = [EXIT.done, EXIT.pageFailed, EXIT.busy]
    const others = [...Object.values(EXIT).filter((code) => !good.includes(code)), 127]
    for (const code of others) expect((await publish([code])).exit, `exit code ${code}`).toBe(code)
    expect((await publish([null])).exit).toBe(EXIT.unfinished)
  })

  it('waits while another builder is at work, but not for ever', async () => {
    const { exit, calls } = await publish([EXIT.busy, EXIT.busy, EXIT.done])
    expect([exit, calls.length]).toEqual([0, 3])
    const busy = await publish(Array.from({ length: 99 }, () => EXIT.busy))
    expect([busy.exit, busy.calls.length]).toEqual([EXIT.busy, 30])
  })

  it('begins nothing when a signal arrives while it waits', async () => {
    const { exit, calls } = await publish([EXIT.busy, EXIT.done], {}, new AbortController())
    expect([exit, calls.length]).toEqual([EXIT.unfinished, 1])
  })

  it('asks the coordinator for a full read first, and accepts a smaller site with the option', async () => {
    const { calls } = await publish([0, 0], { isFull: true, allowsShrink: true })
    expect(calls).toEqual(['notify --full', 'rebuild --pending --deploy --allow-shrink'])
    expect(await publish([EXIT.source], { isFull: true })).toMatchObject({
      exit: EXIT.source,
      calls: ['notify --full'],
    })
  })

  it('hands credentials on in a file of this user only, and leaves none', async () => {
    const { credentials, isLeft } = await publish([EXIT.done], { credentials: '{"key":1}' })
    expect(credentials).toBe('{"key":1} 600 ')
    expect(isLeft).toBe(false)
    expect((await publish([EXIT.source], { credentials: '{}' })).isLeft).toBe(false)
    expect((await publish([EXIT.done])).credentials).toBe('')
  })
})
