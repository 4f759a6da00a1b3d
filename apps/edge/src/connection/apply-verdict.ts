import { countVerdict, type Verdict } from "#src/rules/login-verdict.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ConnectionState } from "./connection-state.ts";
import { Dialling } from "./dialling.ts";
import { refuse } from "./login-kicks.ts";
import { kick } from "./login-outcome.ts";
import type { LoginRequest } from "./login-request.ts";
import { Verifying } from "./verifying.ts";

/** Carries out a verdict: counts it, and kicks the player or takes them to the next step. */
export function applyVerdict(
  conn: ConnectionState,
  request: LoginRequest,
  shield: CompiledShield,
  decided: Verdict,
): false {
  const verdict = countVerdict(decided);
  if (verdict.kind === "refuse") {
    return kick(conn, refuse(request, shield, conn.deps.mitigation, verdict.refusal), request);
  }
  const shadowed = verdict.kind === "forward" ? verdict.shadowed : undefined;
  if (shadowed !== undefined) shield.counters.wouldRefuse(shadowed.reason);
  const admitted = { shield, holdsName: verdict.holdsName, shadowed };
  if (verdict.kind === "forward") new Dialling(conn, request, admitted).begin();
  else new Verifying(conn, request, admitted).begin(verdict.challenge);
  return false;
}
