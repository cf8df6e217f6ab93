/** `doctor`: shows for each of the ten steps of the guide whether it is done, and which step is next. */
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { createPaint } from '../terminal/paint.ts'
import { formatExitCodes } from '../program.ts'
import { configureStage, readFolders } from '../stage.ts'
import { formatDiagnosis } from './format-diagnosis.ts'
import type { DoctorOptions } from './site-facts.ts'
import { collectFacts } from './site-facts.ts'
import { diagnose } from './ten-steps.ts'

export const command: CommandDefinition<DoctorOptions> = {
  configure: (parser) =>
    void configureStage(parser, { state: 'the state of the rebuilds' })
      .option('--json', 'print one JSON object at the end, and nothing else on stdout')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags, environment }) => ({ environment, state: readFolders({ flags, environment }).state }),
  run: examine,
}

async function examine(options: DoctorOptions, { print, progress }: Terminal): Promise<CommandResult> {
  progress.update('Looking at settings, account and site')
  const facts = await collectFacts(options)
  const diagnosis = diagnose(facts)
  progress.done('')
  print(formatDiagnosis(diagnosis, facts, createPaint()))
  const { steps, next } = diagnosis
  return {
    exit: next.length === 0 ? EXIT.done : EXIT.attention,
    report: { lane: facts.lane, worker: facts.worker.name, steps, next },
  }
}
