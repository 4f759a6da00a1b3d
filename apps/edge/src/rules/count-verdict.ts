import { countRest, countSecond, countSources, takesName } from "./counting-rules.ts";
import type { Refusal } from "./login-attempt.ts";
import type { Verdict } from "./login-verdict.ts";
import type { ConnectionContext } from "./rule-context.ts";
import { notesName } from "./login-rules.ts";

/**
 * Counts a login by its verdict: notes its name, and takes its places in the limits if it goes on. Of
 * two threads that saw the last free place, one gets it.
 *
 * @returns the verdict, or a refusal where a place was taken in between
 */
export function countVerdict(verdict: Verdict): Verdict {
  const { counting } = verdict;
  if (counting === undefined) return verdict;
  const { login, takesPlaces } = counting;
  const { facts, rules, state, nowMs } = login;
  if (notesName(login)) state.memory.sawName(rules.shield, facts.name, nowMs);
  if (!takesPlaces) return verdict;
  const refusal = countSources(login) ?? countSecond(login) ?? countRest(login, takesName(login));
  if (refusal === undefined) return verdict;
  if (rules.shadow) return { kind: "forward", shadowed: refusal, holdsName: false };
  return { kind: "refuse", refusal };
}

/** The same for a connection whose game is not parsed. @returns why it has no place */
export function countConnection(connection: ConnectionContext): Refusal | undefined {
  return countSources(connection) ?? countSecond(connection);
}
