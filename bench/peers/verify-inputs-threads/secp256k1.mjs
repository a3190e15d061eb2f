export { peer } from '../verify-inputs/secp256k1.mjs'
