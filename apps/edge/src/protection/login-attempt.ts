import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { ProfileKey } from "@palisade/minecraft-protocol/java/profile-key";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AttackStatus } from "./attack-state.ts";
import type { LoginMemory } from "./login-memory.ts";
import type { Challenge, VerifiedPlayers } from "./shared/verified-players.ts";

export interface LoginAttempt {
  readonly ip: IpBytes;
  readonly name: string;
  readonly nameValid: boolean;
  /** As the client says. */
  readonly protocol: number;
  /** `legacy`: before 1.7. */
  readonly form: "modern" | "legacy";
  readonly forge: boolean;
  /** Undefined where the client shows none. */
  readonly profileKey: ProfileKey | undefined;
  /** As its Login Start was announced; 0 where it was no larger than any client's. */
  readonly frameBytes: number;
  /** Given by what the player has brought back from this edge or another. */
  readonly passed: Challenge | undefined;
  /** Of the shield, on this edge. */
  readonly attack: AttackStatus;
  /** Number of the connection since the edge started, and a random number of that start. */
  readonly connection: number;
  readonly bootSeed: number;
}

/** What an edge knows beside the login and the shield's rules. */
export interface ProtectionState {
  readonly memory: LoginMemory;
  readonly verified: VerifiedPlayers;
  /** Addresses of VPNs, proxies and data centres. */
  readonly vpn: { find(ip: IpBytes): Refusal | undefined };
  /** Whether the edge can ask clients of this version for such a challenge. */
  canAsk(challenge: Challenge, protocol: number): boolean;
}

export interface Refusal {
  readonly reason: RefusalReason;
  /** What it was made from, for the owner's log. */
  readonly facts: Readonly<Record<string, string>>;
  /** After which it would be another verdict, where it is a matter of time. */
  readonly seconds?: number;
}
