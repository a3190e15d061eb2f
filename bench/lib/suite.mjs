import benny from 'benny'

/**
 * The same runs through benny: operations per second, for people who know its output. It times
 * one peer after the other, so a machine with other work shifts some and not others; reports and
 * goals therefore come from `measure.mjs`.
 *
 * @param {string} title
 * @param {{ peer: import('./define.mjs').Peer<any, any, any, any>, inputs: unknown[] }[]} contenders
 */
export const runSuite = (title, contenders) =>
  benny.suite(
    title,
    ...contenders.map(({ peer, inputs }) =>
      benny.add(peer.name, () => {
        let next = 0
        return () => peer.run(inputs[next++ % inputs.length])
      }),
    ),
    benny.cycle(),
    benny.complete(),
  )
