export { hash160 } from './calls.ts'
