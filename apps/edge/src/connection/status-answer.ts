import { statusFrameBytesMax } from "@palisade/minecraft-protocol/java/status";
import { unknownHost } from "#src/shields/edge-answers.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type ConnectionState, Phase } from "./connection-state.ts";

/** The backend is being asked; a client that has ended its side still waits for the answer. */
class Answering extends Phase {
  override received(conn: ConnectionState, chunk: Buffer): void {
    conn.keep(chunk);
    if (saysTooMuch(conn)) conn.drop("malformed");
  }

  override ended(): void {
    // `peerEnded` is checked once the answer is sent.
  }
}

export const answering = new Answering();

/**
 * Whether more bytes have come than the one ping that may follow a request: they need not be kept.
 */
export function saysTooMuch({ head, offset }: ConnectionState): boolean {
  return head.length - offset > 1 + statusFrameBytesMax;
}

/** The answer to a ping of this version, at once if it is known. */
export function statusAnswer(
  conn: ConnectionState,
  protocol: number,
  host = "",
): Buffer | Promise<Buffer> {
  const { shield, deps } = conn;
  if (shield === undefined) return unknownHost.motd.frame;
  shield.counters.pings++;
  notePing(conn, shield);
  return deps.statuses.answer(shield, protocol, host);
}

function notePing(conn: ConnectionState, { rules: { mitigation } }: CompiledShield): void {
  if (!mitigation.notesPings) return;
  const { memory, nowMs } = conn.deps.mitigation;
  memory.sawPing(mitigation.shield, conn.ip, nowMs());
}
