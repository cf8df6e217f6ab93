import { createMemorySource } from '../../support/rebuild/memory-source.ts'
import { describeSource } from './contract.ts'

describeSource('the memory', {
  open: async (documents) => createMemorySource(documents),
  openBroken: async () => {
    const source = createMemorySource()
    source.failAfter(0)
    return source
  },
})
