import { statusFrameBytesMax } from "@palisade/minecraft-protocol/java/status";
import { unknownHost } from "#src/answers/edge-answers.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type Conversation, Phase } from "./conversation.ts";

/** A backend is asked; a client that has said all it will still waits for the answer. */
class Answering extends Phase {
  override received(at: Conversation, chunk: Buffer): void {
    at.keep(chunk);
    if (saysTooMuch(at)) at.drop("malformed");
  }

  override ended(): void {
    // `peerEnded` is looked at once the answer is out.
  }
}

export const answering = new Answering();

/** Whether more has come than the one ping that may follow a request: it need not be kept. */
export function saysTooMuch({ head, offset }: Conversation): boolean {
  return head.length - offset > 1 + statusFrameBytesMax;
}

/** What is answered to a ping of this version, at once where it is known. */
export function statusAnswer(
  at: Conversation,
  protocol: number,
  host = "",
): Buffer | Promise<Buffer> {
  const { shield, deps } = at;
  if (shield === undefined) return unknownHost.motd.frame;
  shield.counters.pings++;
  notePing(at, shield);
  return deps.statuses.answer(shield, protocol, host);
}

function notePing(at: Conversation, { rules: { mitigation } }: CompiledShield): void {
  if (!mitigation.notesPings) return;
  const { memory, nowMs } = at.deps.mitigation;
  memory.sawPing(mitigation.shield, at.ip, nowMs());
}
