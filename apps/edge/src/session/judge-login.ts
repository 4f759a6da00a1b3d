import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { unknownHost } from "#src/answers/edge-answers.ts";
import type { KickTemplate } from "#src/answers/kick-template.ts";
import { decideLogin } from "#src/protection/login-verdict.ts";
import { traceCode } from "#src/protection/trace-code.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome } from "#src/telemetry/outcome-counts.ts";

export interface LoginRequest {
  /** Where the host named leads; undefined where nowhere. */
  readonly shield: CompiledShield | undefined;
  readonly ip: IpBytes;
  readonly protocol: number;
  readonly name: string;
  readonly nameValid: boolean;
  /** The client's form of a kick. */
  readonly form: keyof KickTemplate;
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
  const { shield } = request;
  if (shield === undefined) {
    const trace = traceCode(request.bootSeed, request.connection);
    return kickOf(request, "unknown_host", unknownHost.kick, trace);
  }
  shield.tally.logins++;
  const verdict = decideLogin(request, shield.rules);
  if (verdict.kind === "forward") return shield;
  const { reason, trace } = verdict;
  shield.tally.refuse(reason);
  return kickOf(request, reason, shield.kicks[reason], trace);
}

/** The kick where no backend answers. */
export function kickOffline(request: LoginRequest, shield: CompiledShield): Kick {
  const trace = traceCode(request.bootSeed, request.connection);
  shield.tally.refuse("offline");
  return kickOf(request, "offline", shield.kicks.offline, trace);
}

function kickOf(
  { form, name: player }: LoginRequest,
  outcome: Outcome,
  kick: KickTemplate,
  trace: string,
): Kick {
  return { outcome, packet: kick[form]({ player, trace }), trace };
}
