import { hasForgeMarker } from "@palisade/minecraft-protocol/java/host";
import { traceCode } from "#src/rules/trace-code.ts";
import type { ConnectionState } from "./connection-state.ts";
import { Dialling } from "./dialling.ts";
import { type LoginDecision, decideJoin, type LoginRequest } from "./login-decision.ts";
import { kick, noteLogin } from "./login-outcome.ts";
import { Verifying } from "./verifying.ts";

/** The login's data besides the handshake. */
export type LoginSays = Pick<LoginRequest, "name" | "nameValid" | "protocol" | "form"> &
  Partial<Pick<LoginRequest, "profileKey" | "frameBytes" | "passed">>;

/** Gets the verdict and acts on it. */
export function judge(conn: ConnectionState, says: LoginSays): false {
  const request = requestOf(conn, says);
  return goOn(conn, request, decideJoin(request, conn.deps.mitigation));
}

/** Acts on a verdict. */
export function goOn(conn: ConnectionState, request: LoginRequest, judged: LoginDecision): false {
  if (judged.kind === "kick") return kick(conn, judged, request.name);
  const { challenge } = judged;
  if (challenge === undefined) new Dialling(conn, request, judged).begin();
  else new Verifying(conn, request, judged).begin(challenge);
  return false;
}

/** For a login that was not read: never admits. */
export function judgeUnread(conn: ConnectionState, says: LoginSays): false {
  const request = requestOf(conn, says);
  const judged = decideJoin(request, conn.deps.mitigation);
  if (judged.kind === "kick") return kick(conn, judged, "");
  if (judged.shadowed !== undefined) {
    const { reason: verdict, facts } = judged.shadowed;
    const trace = traceCode(request.bootSeed, request.connection);
    noteLogin(conn, { verdict, player: "", trace, facts, shadow: true });
  }
  return conn.drop("malformed");
}

export function requestOf(conn: ConnectionState, says: LoginSays) {
  const { shield, client, connection, deps } = conn;
  return {
    profileKey: undefined,
    frameBytes: 0,
    passed: undefined,
    ...says,
    shield,
    ip: conn.ip,
    forge: hasForgeMarker(client?.suffix ?? ""),
    connection,
    bootSeed: deps.bootSeed,
  } satisfies LoginRequest;
}
