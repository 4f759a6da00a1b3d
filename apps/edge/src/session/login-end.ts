import type { LoginVerdict } from "@palisade/contract/edge/telemetry";
import { playerAddress } from "#src/connection/peer.ts";
import type { Refusal } from "#src/rules/login-attempt.ts";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import type { Conversation } from "./conversation.ts";
import type { Kick } from "./judge-login.ts";

export function kick(
  at: Conversation,
  { outcome, ends = outcome, packet, trace, facts }: Kick,
  player: string,
): false {
  if (outcome !== "unknown_host") noteLogin(at, { verdict: outcome, player, trace, facts });
  at.life.finish(ends);
  logLogin(at, outcome, player, trace);
  return at.closeAfter(packet);
}

interface LoginNote {
  readonly verdict: LoginVerdict;
  readonly player: string;
  readonly trace: string;
  readonly facts?: Refusal["facts"] | undefined;
  /** The verdict was only recorded, in shadow mode. */
  readonly shadow?: boolean;
}

/** For the owner's log, once it is known what became of the login. */
export function noteLogin(at: Conversation, note: LoginNote): void {
  const { shield, client, deps } = at;
  if (shield === undefined) return;
  const { verdict, player, trace, facts, shadow = false } = note;
  deps.logins.note({
    shieldId: shield.id,
    trace,
    verdict,
    shadow,
    ip: at.ip,
    player,
    protocol: client?.protocol ?? 0,
    host: client?.host ?? "",
    facts,
  });
}

/**
 * For the owner's log: a login that ended before its verdict. Mostly the player has left; if the
 * edge ended it, the reason is added.
 */
export function noteLeft(
  at: Conversation,
  player: string,
  trace: string,
  before?: Refusal["facts"],
): void {
  const { outcome = "left" } = at.life;
  const facts = outcome === "left" ? before : { ...before, edge: outcome };
  noteLogin(at, { verdict: "left", player, trace, facts });
}

export function logLogin(at: Conversation, verdict: Outcome, player: string, trace?: string): void {
  const { connection, socket, client, shield } = at;
  at.deps.log.info(
    () => ({
      connection,
      ip: playerAddress(socket),
      host: client?.host,
      protocol: client?.protocol,
      shield: shield?.id,
      player,
      verdict,
      trace,
    }),
    "login",
  );
}
