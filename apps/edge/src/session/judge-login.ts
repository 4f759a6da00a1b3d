import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { unknownHost } from "#src/answers/edge-answers.ts";
import { decideLogin } from "#src/protection/login-verdict.ts";
import { traceCode } from "#src/protection/trace-code.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome } from "#src/telemetry/outcome-counts.ts";

export interface LoginRequest {
  /** Where the host named leads; undefined where nowhere. */
  readonly shield: CompiledShield | undefined;
  readonly ip: IpBytes;
  readonly name: string;
  readonly nameValid: boolean;
  readonly connection: number;
  readonly bootSeed: number;
}

export interface Kick {
  readonly outcome: Outcome;
  readonly packet: Buffer;
  readonly trace: string;
}

/** The shield to join, or the kick; counted where it belongs to a shield. */
export function judgeLogin(request: LoginRequest): CompiledShield | Kick {
  const { shield, name: player } = request;
  if (shield === undefined) {
    const trace = traceCode(request.bootSeed, request.connection);
    return { outcome: "unknown_host", packet: unknownHost.kick({ player, trace }), trace };
  }
  shield.tally.logins++;
  const verdict = decideLogin(request, shield.rules);
  if (verdict.kind === "forward") return shield;
  const { reason, trace } = verdict;
  shield.tally.refuse(reason);
  return { outcome: reason, packet: shield.kicks[reason]({ player, trace }), trace };
}

/** The kick where no backend answers. */
export function kickOffline(request: LoginRequest, shield: CompiledShield): Kick {
  const trace = traceCode(request.bootSeed, request.connection);
  shield.tally.refuse("offline");
  return {
    outcome: "offline",
    packet: shield.kicks.offline({ player: request.name, trace }),
    trace,
  };
}
