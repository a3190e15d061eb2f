import { onServer } from '../../on-server.mjs'

export const config = { api: { responseLimit: false } }

export default async function handler(_request, response) {
  response.json(await onServer())
}
