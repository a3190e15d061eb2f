import { onServer } from '../../on-server.mjs'

export const dynamic = 'force-dynamic'

export async function GET() {
  return Response.json(await onServer())
}
