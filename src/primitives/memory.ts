import { lossyUtf8Bytes } from './utf8.ts'

/** Answers that were given before, by the text they were asked with. */
interface Memory<Answer> {
  /**
   * The answers to some questions, of which those that are new are asked together.
   *
   * @param ask - answers new questions, each asked once
   */
  recall(questions: readonly string[], ask: (unknown: string[]) => readonly Answer[]): Answer[]
  /** The answer to a question that was asked before. */
  known(question: string): Answer | undefined
}

/** More at once would only make a call larger than the engine takes. */
export const askedAtOnceMax = 1024

/** Forgets everything when it is full, which costs less than to know what is old. */
export function createMemory<Answer extends {}>(answersMax: number): Memory<Answer> {
  const answers = new Map<string, Answer>()
  return {
    known: (question) => answers.get(question),
    recall(questions, ask) {
      const found = questions.map((question) => answers.get(question))
      if (!found.includes(undefined)) return found as Answer[]
      const unknown = questions.filter((_, at) => found[at] === undefined)
      const given = askAll([...new Set(unknown)], ask)
      if (answers.size + given.size > answersMax) answers.clear()
      for (const [question, answer] of given) {
        if (answers.size < answersMax) answers.set(detached(question), answer)
      }
      return found.map((answer, at) => answer ?? given.get(questions[at]!)!)
    },
  }
}

function askAll<Answer>(
  questions: readonly string[],
  ask: (unknown: string[]) => readonly Answer[],
): Map<string, Answer> {
  const given = new Map<string, Answer>()
  for (let at = 0; at < questions.length; at += askedAtOnceMax) {
    const asked = questions.slice(at, at + askedAtOnceMax)
    for (const [index, answer] of ask(asked).entries()) given.set(asked[index]!, answer)
  }
  return given
}

const decoder = new TextDecoder()

/** The same text by itself: a slice would keep alive the whole text that it was cut from. */
export function detached(text: string): string {
  return decoder.decode(lossyUtf8Bytes(text))
}
