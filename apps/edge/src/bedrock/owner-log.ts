import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { formatIp } from "@palisade/minecraft-protocol/proxy/address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { attackOn } from "#src/connection/login.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";

export interface Arrival {
  readonly shield: CompiledShield;
  readonly client: Endpoint;
  /** The edge's port. */
  readonly port: number;
}

export interface ArrivalEnd {
  readonly verdict: RefusalReason | "joined";
  readonly facts?: Readonly<Record<string, string>>;
  readonly shadow?: boolean;
  /** As the client says; unknown until its login was read. */
  readonly player?: string | undefined;
  /** The game's; its numbers overlap with those of Java, so it is a fact of the entry. */
  readonly protocol?: number | undefined;
}

type LogDeps = Pick<BedrockDeps, "logins" | "traceCodes" | "log" | "mitigation" | "attackSamples">;

let arrivals = 0;

/** A code for the owner's log and for the player, who may quote it. */
export function nextTrace({ traceCodes }: LogDeps): string {
  arrivals += 1;
  return traceCodes.of(arrivals);
}

/** Writes an arrival to the owner's log, once its outcome is known. */
export function noteArrival(
  deps: LogDeps,
  { shield, client: { ip }, port }: Arrival,
  trace: string,
  { verdict, facts = {}, shadow = false, player = "", protocol }: ArrivalEnd,
): void {
  const { isUnderAttack, relaxedTo } = attackOn(shield, deps.mitigation);
  const version = protocol === undefined ? {} : { protocol: String(protocol) };
  deps.logins.note(
    {
      shieldId: shield.id,
      verdict,
      shadow,
      ip,
      player,
      protocol: 0,
      isBedrock: true,
      host: `:${port}`,
      facts: { edition: "bedrock", ...version, ...facts },
    },
    {
      trace,
      loggedAttempt: () => ({
        ping: "unknown",
        ...(isUnderAttack && { attack: relaxedTo ?? true }),
      }),
    },
  );
  if (isUnderAttack) {
    deps.attackSamples.note(shield.id, ip, player, verdict === "joined", "bedrock");
  }
  deps.log.info(
    () => ({ ip: formatIp(ip), port, shield: shield.id, verdict }),
    "bedrock connection",
  );
}
