import type { LoginVerdict } from "@palisade/contract/edge/telemetry";
import { playerAddress } from "#src/reactor/peer.ts";
import type { Refusal } from "#src/rules/login-attempt.ts";
import type { Outcome } from "#src/telemetry/outcomes.ts";
import type { ConnectionState } from "./connection-state.ts";
import type { Kick } from "./login-kicks.ts";
import type { LoginRequest } from "./login-request.ts";

/** Notes and logs the refusal, and sends the kick. */
export function kick(
  conn: ConnectionState,
  { outcome, ends = outcome, packet, facts }: Kick,
  { name: player, trace }: Pick<LoginRequest, "name" | "trace">,
): false {
  if (outcome !== "unknown_host") noteLogin(conn, { verdict: outcome, player, trace, facts });
  conn.life.finish(ends);
  logLogin(conn, outcome, player, trace);
  return conn.closeAfter(packet);
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
export function noteLogin(conn: ConnectionState, note: LoginNote): void {
  const { shield, client, deps } = conn;
  if (shield === undefined) return;
  const { verdict, player, trace, facts, shadow = false } = note;
  deps.logins.note({
    shieldId: shield.id,
    trace,
    verdict,
    shadow,
    ip: conn.ip,
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
  conn: ConnectionState,
  player: string,
  trace: string,
  before?: Refusal["facts"],
): void {
  const { outcome = "left" } = conn.life;
  const facts = outcome === "left" ? before : { ...before, edge: outcome };
  noteLogin(conn, { verdict: "left", player, trace, facts });
}

export function logLogin(
  conn: ConnectionState,
  verdict: Outcome,
  player: string,
  trace?: string,
): void {
  const { connection, socket, client, shield } = conn;
  conn.deps.log.info(
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
