declare namespace App {
  interface Locals extends Readonly<import('./domain/page.ts').PageLocals> {}
}
