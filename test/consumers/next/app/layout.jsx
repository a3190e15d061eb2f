// A page whose scripts carry a nonce is made anew for every request.
export const dynamic = 'force-dynamic'

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
