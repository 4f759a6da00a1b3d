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
export function goOn(conn: ConnectionState, request: LoginRequest, decision: LoginDecision): false {
  if (decision.kind === "kick") return kick(conn, decision, request.name);
  const { challenge } = decision;
  if (challenge === undefined) new Dialling(conn, request, decision).begin();
  else new Verifying(conn, request, decision).begin(challenge);
  return false;
}

/** For a login that was not read: never admits. */
export function judgeUnread(conn: ConnectionState, says: LoginSays): false {
  const request = requestOf(conn, says);
  const decision = decideJoin(request, conn.deps.mitigation);
  if (decision.kind === "kick") return kick(conn, decision, "");
  if (decision.shadowed !== undefined) {
    const { reason: verdict, facts } = decision.shadowed;
    const trace = traceCode(request.bootSeed, request.connection);
    noteLogin(conn, { verdict, player: "", trace, facts, shadow: true });
  }
  return conn.drop("malformed");
}

/** Written out: spreading costs a flood of logins more than the rest of it. */
export function requestOf(conn: ConnectionState, says: LoginSays): LoginRequest {
  const { shield, client, connection, deps, ip } = conn;
  return {
    name: says.name,
    nameValid: says.nameValid,
    protocol: says.protocol,
    form: says.form,
    profileKey: says.profileKey,
    frameBytes: says.frameBytes ?? 0,
    passed: says.passed,
    shield,
    ip,
    forge: hasForgeMarker(client?.suffix ?? ""),
    connection,
    bootSeed: deps.bootSeed,
  };
}
