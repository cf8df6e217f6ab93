/** Formats the coordinator's record of who published, held, released, rolled back and published without leave. */
import { cleanText } from '../../../domain/documents/text.ts'
import type { LogEntry } from '../../../domain/wire/coordinator-status.ts'

export function formatLog(log: readonly LogEntry[]): readonly string[] {
  if (log.length === 0) return ['Nothing was published, held or released yet.']
  const names = log.map((entry) => cleanText(entry.by ?? '-'))
  const width = Math.max(...names.map(({ length }) => length))
  return log.map(({ at, action, version, reason }, index) => {
    const time = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
    const what = cleanText([version ?? '', reason ?? ''].filter(Boolean).join(': '))
    return `${time}  ${action.padEnd(11)}  ${names[index]?.padEnd(width)}  ${what}`.trimEnd()
  })
}
