import { hasForgeMarker } from "@palisade/minecraft-protocol/java/host";
import { decideLogin } from "#src/rules/login-verdict.ts";
import { applyVerdict } from "./apply-verdict.ts";
import type { ConnectionState } from "./connection-state.ts";
import { kickUnknownHost, refuse } from "./login-kicks.ts";
import { kick, noteLogin } from "./login-outcome.ts";
import { countArrival, type LoginRequest } from "./login-request.ts";

/** The login's data besides the handshake. */
export type LoginSays = Pick<LoginRequest, "name" | "nameValid" | "protocol" | "form"> &
  Partial<Pick<LoginRequest, "profileKey" | "frameBytes">>;

/** Counts the login, decides it and carries the verdict out. */
export function judge(conn: ConnectionState, says: LoginSays): false {
  return decide(conn, says, applyVerdict);
}

/** For a login that was not read: never admits. */
export function judgeUnread(conn: ConnectionState, says: LoginSays): false {
  return decide(conn, says, refuseOrDrop);
}

function decide(conn: ConnectionState, says: LoginSays, carryOut: typeof applyVerdict): false {
  const request = arrived(conn, says);
  const { shield } = request;
  if (shield === undefined) return kick(conn, kickUnknownHost(request), request);
  const { mitigation } = conn.deps;
  const verdict = decideLogin(request, shield.rules, mitigation, mitigation.nowMs());
  return carryOut(conn, request, shield, verdict);
}

const refuseOrDrop: typeof applyVerdict = (conn, request, shield, verdict) => {
  if (verdict.kind === "refuse") {
    return kick(conn, refuse(request, shield, conn.deps.mitigation, verdict.refusal), request);
  }
  if (verdict.kind === "forward" && verdict.shadowed !== undefined) {
    const { reason, facts } = verdict.shadowed;
    shield.counters.wouldRefuse(reason);
    noteLogin(conn, { verdict: reason, player: "", trace: request.trace, facts, shadow: true });
  }
  return conn.drop("malformed");
};

/** The login, counted. Written out, because spreading is slow and every login of a flood comes by. */
export function arrived(conn: ConnectionState, says: LoginSays): LoginRequest {
  const { shield, client, connection, deps, ip } = conn;
  return {
    name: says.name,
    nameValid: says.nameValid,
    protocol: says.protocol,
    form: says.form,
    profileKey: says.profileKey,
    frameBytes: says.frameBytes ?? 0,
    passed: undefined,
    shield,
    ip,
    forge: hasForgeMarker(client?.suffix ?? ""),
    attack: countArrival(ip, shield, deps.mitigation),
    trace: deps.traceCodes.of(connection),
  };
}
