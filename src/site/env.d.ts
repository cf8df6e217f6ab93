declare namespace App {
  interface Locals extends Readonly<import('../domain/pages/page.ts').PageLocals> {}
}
