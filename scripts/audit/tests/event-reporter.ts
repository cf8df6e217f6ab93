/** A vitest reporter that prints one JSON line for each test file. */
import type { Reporter, TestModule } from 'vitest/node'
import type { FileResult } from './run-tests.ts'

export default class implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const result: FileResult = {
      file: module.relativeModuleId,
      passed: [...module.children.allTests('passed')].length,
      failed: [
        ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
        ...module.errors().map(({ message }) => message),
      ],
    }
    console.log(JSON.stringify(result))
  }
}
