import { statusFrameBytesMax } from "@palisade/minecraft-protocol/java/status";
import { unknownHost } from "#src/answers/edge-answers.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type Conversation, Phase } from "./conversation.ts";

/** The backend is being asked; a client that has ended its side still waits for the answer. */
class Answering extends Phase {
  override received(at: Conversation, chunk: Buffer): void {
    at.keep(chunk);
    if (saysTooMuch(at)) at.drop("malformed");
  }

  override ended(): void {
    // `peerEnded` is checked once the answer is sent.
  }
}

export const answering = new Answering();

/**
 * Whether more bytes have come than the one ping that may follow a request: they need not be kept.
 */
export function saysTooMuch({ head, offset }: Conversation): boolean {
  return head.length - offset > 1 + statusFrameBytesMax;
}

/** The answer to a ping of this version, at once if it is known. */
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
