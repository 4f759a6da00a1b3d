/**
 * From when on a backend has the dial's deadline to send its first byte: `head`: from the start,
 * because it gets a login then; `spoken`: from the player's first byte, because no game says which
 * end begins; `given`: it has answered already.
 */
export type FirstAnswer = "head" | "spoken" | "given";

export function firstAnswerOf(isUnparsed: boolean, head: Uint8Array): FirstAnswer {
  if (isUnparsed) return "spoken";
  return head.length > 0 ? "head" : "given";
}
