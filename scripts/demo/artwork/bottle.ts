/** What a bottle drawing is made of: outlines on a 400 × 500 frame, standing at y = 420. */
export type Label = {
  kind: 'plate' | 'print' | 'seal'
  y: number
  width: number
  height: number
  /** A small outline that starts at the top of the label's middle line. */
  emblem: string
}

type Scene = 'mirror' | 'plinth' | 'niche'

export type Bottle = {
  name: string
  /** One letter, unique: half of the prefix of every id in a picture. */
  code: string
  scene: Scene
  /** Outline of the glass and, inside it, of the perfume. */
  body: string
  liquid: string
  /** Surface of the perfume: height and half width. */
  level: readonly [y: number, half: number]
  collar: string
  cap: string
  /** Fine dark lines on the cap, light planes on the glass, softbox shine. */
  trim: string
  facets: string
  shine: string
  label: Label
  /** Half width of the foot, for the shadow. */
  foot: number
}
