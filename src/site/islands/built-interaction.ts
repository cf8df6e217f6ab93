/** The directive `client:interaction` of built pages. It also defines their island element. */
import { defineIsland } from './island-element.ts'
import hydrateOnInteraction from './interaction-directive.ts'

defineIsland(hydrateOnInteraction)

export default hydrateOnInteraction
