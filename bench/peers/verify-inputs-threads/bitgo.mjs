export { peer } from '../verify-inputs/bitgo.mjs'
