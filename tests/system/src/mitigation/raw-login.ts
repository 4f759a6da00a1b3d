import { firstLoginAnswer } from "../minecraft/java-client.ts";
import type { HostPort } from "../product/palisade.ts";

/**
 * Sends what no client of the tests can be made to send, and reads what comes first.
 *
 * @returns the component of a disconnect; `admitted` where a server answers with anything else,
 *   `closed` where the edge does not
 */
export async function rawLogin(edge: HostPort, from: string, hello: Uint8Array): Promise<unknown> {
  const answer = await firstLoginAnswer({ edge, from }, hello);
  if (answer === "closed") return answer;
  return answer.kind === "kicked" ? JSON.parse(answer.text) : answer.kind;
}
