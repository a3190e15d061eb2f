// Clients that send a byte from time to time, and never a whole request. The guard drops each after
// a while, and another one comes.

import { connect } from 'node:net'

export function slowClients(port, count) {
  let dropped = 0
  let isOver = false
  const sockets = new Set()

  function begin(at) {
    if (isOver) return
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    const isHead = at % 2 === 0
    const start = 'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n'
    socket.write(isHead ? start : `${start}content-length: 100000\r\n\r\n{`)
    const timer = setInterval(() => socket.write(isHead ? 'x' : ' '), 2_000)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      sockets.delete(socket)
      if (isOver) return
      dropped += 1
      setTimeout(() => begin(at), 500)
    })
  }
  for (let at = 0; at < count; at += 1) begin(at)
  return {
    get dropped() {
      return dropped
    },
    end() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
