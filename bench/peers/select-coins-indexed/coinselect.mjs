export { peer } from '../select-coins/coinselect.mjs'
