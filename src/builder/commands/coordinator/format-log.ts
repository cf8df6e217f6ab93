/** Formats the coordinator's record of who published, held, released, rolled back and published without leave. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { LogEntry } from '../../../domain/wire/coordinator-status.ts'

export function formatLog(log: readonly LogEntry[]): readonly string[] {
  if (log.length === 0) return ['Nothing was published, held or released yet.']
  const by = Math.max(...log.map((entry) => (entry.by ?? '-').length))
  return log.map(({ at, action, by: who, version, reason }) => {
    const time = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
    const what = [version ?? '', reason ?? ''].filter(Boolean).join(': ')
    return cleanText(`${time}  ${action.padEnd(11)}  ${(who ?? '-').padEnd(by)}  ${what}`.trimEnd())
  })
}
