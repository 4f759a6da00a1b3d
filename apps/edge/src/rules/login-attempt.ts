import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import type { ProfileKey } from "@palisade/minecraft-protocol/java/profile-key";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { AttackStatus } from "./attack-state.ts";
import type { LoginMemory } from "./login-memory.ts";
import type { Challenge, VerifiedPlayers } from "./shared/verified-players.ts";

export interface LoginAttempt {
  readonly ip: IpBytes;
  readonly name: string;
  readonly nameValid: boolean;
  /** As the client names it. */
  readonly protocol: number;
  /** `legacy`: before 1.7. */
  readonly form: "modern" | "legacy";
  readonly forge: boolean;
  /** Undefined if the client shows none. */
  readonly profileKey: ProfileKey | undefined;
  /** Announced size of its Login Start; 0 if no larger than any client's. */
  readonly frameBytes: number;
  /** The challenge that the player has passed, shown by a cookie of this edge or another. */
  readonly passed: Challenge | undefined;
  /** The attack on the shield, as this edge sees it. */
  readonly attack: AttackStatus;
}

/** State of the edge that rules read besides the login and the shield's settings. */
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
  /** Details for the owner's log. */
  readonly facts: Readonly<Record<string, string>>;
  /** Seconds after which the verdict would be another, if it depends on time. */
  readonly seconds?: number;
}
