/** The colours of one photo: backdrop, glass, perfume, metal and label. */
export type Palette = {
  name: string
  /** One letter, unique: half of the prefix of every id in a picture. */
  code: string
  /** Backdrop: top of the wall, wall behind the bottle, floor. */
  wall: readonly [top: string, middle: string, floor: string]
  glass: string
  liquid: readonly [light: string, deep: string]
  metal: readonly [dark: string, middle: string, light: string]
  label: string
  ink: string
  /** Ink for marks printed straight on the glass. */
  print: string
  /** Dark edge of the glass and colour of its shadow, as #rgb. */
  rim: string
}

const GOLD = ['#641', '#c94', '#feb'] as const
const ROSE_GOLD = ['#854', '#c98', '#fed'] as const
const CHROME = ['#567', '#abc', '#fff'] as const
const ONYX = ['#001', '#223', '#89a'] as const

export const PALETTES: readonly Palette[] = [
  {
    name: 'amber',
    code: 'a',
    wall: ['#d9b98c', '#f7e8cf', '#c79f6c'],
    glass: '#fed',
    liquid: ['#fc5', '#a41'],
    metal: GOLD,
    label: '#ffe',
    ink: '#641',
    print: '#630',
    rim: '#620',
  },
  {
    name: 'blue',
    code: 'b',
    wall: ['#7f9cc4', '#dce8f6', '#6f8fba'],
    glass: '#cdf',
    liquid: ['#47d', '#025'],
    metal: ONYX,
    label: '#125',
    ink: '#def',
    print: '#eef',
    rim: '#025',
  },
  {
    name: 'noir',
    code: 'c',
    wall: ['#1f1a17', '#6a5848', '#2a221c'],
    glass: '#433',
    liquid: ['#642', '#100'],
    metal: GOLD,
    label: '#100',
    ink: '#eb7',
    print: '#eb7',
    rim: '#000',
  },
  {
    name: 'rose',
    code: 'd',
    wall: ['#e3b0b2', '#fdeeec', '#d59c9f'],
    glass: '#fee',
    liquid: ['#fcc', '#d78'],
    metal: ROSE_GOLD,
    label: '#ffe',
    ink: '#945',
    print: '#fff',
    rim: '#934',
  },
  {
    name: 'emerald',
    code: 'e',
    wall: ['#7fa48d', '#e2eee0', '#7a9c84'],
    glass: '#dee',
    liquid: ['#3b7', '#043'],
    metal: GOLD,
    label: '#ffe',
    ink: '#143',
    print: '#eeb',
    rim: '#032',
  },
  {
    name: 'violet',
    code: 'f',
    wall: ['#a392c9', '#ece6f7', '#9381bb'],
    glass: '#eef',
    liquid: ['#b8e', '#317'],
    metal: CHROME,
    label: '#fef',
    ink: '#428',
    print: '#fef',
    rim: '#316',
  },
  {
    name: 'silver',
    code: 'g',
    wall: ['#a9b3ba', '#f1f4f5', '#9aa6ae'],
    glass: '#fff',
    liquid: ['#fff', '#abc'],
    metal: CHROME,
    label: '#345',
    ink: '#fff',
    print: '#344',
    rim: '#567',
  },
  {
    name: 'ruby',
    code: 'h',
    wall: ['#5a1620', '#c9737a', '#571019'],
    glass: '#fdd',
    liquid: ['#f34', '#501'],
    metal: GOLD,
    label: '#401',
    ink: '#ed9',
    print: '#ed9',
    rim: '#300',
  },
  {
    name: 'champagne',
    code: 'i',
    wall: ['#cdb8a2', '#f8f0e6', '#bea58b'],
    glass: '#ffe',
    liquid: ['#fec', '#d96'],
    metal: ROSE_GOLD,
    label: '#fff',
    ink: '#863',
    print: '#753',
    rim: '#853',
  },
  {
    name: 'aqua',
    code: 'j',
    wall: ['#7fbcc2', '#e3f5f4', '#6fb0b8'],
    glass: '#eff',
    liquid: ['#8ee', '#178'],
    metal: CHROME,
    label: '#eff',
    ink: '#166',
    print: '#fff',
    rim: '#056',
  },
]
