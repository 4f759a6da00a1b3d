import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { versionRange } from "@palisade/minecraft-protocol/java/versions";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { sampleShield, sampleShieldId } from "@palisade/testing/sample-shield";
import { type AddressSet, compileAddressSet } from "../address-set.ts";
import {
  type LoginAttempt,
  type ProtectionState,
  type Refusal,
  mitigationRules,
} from "../login-attempt.ts";
import { LoginMemory } from "../login-memory.ts";
import { SourceHistory } from "../source-history.ts";
import { countVerdict, decideLogin, type LoginRules, type Verdict } from "../login-verdict.ts";
import { VerifiedPlayers } from "../shared/verified-players.ts";
import { playerMac } from "../shared/player-mac.ts";

export const attack: LoginAttempt["attack"] = { isUnderAttack: true, relaxedTo: null };

export function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

export function setOf(...entries: string[]): AddressSet {
  const result = compileAddressSet(entries);
  if (!result.ok) throw new Error(result.invalid);
  return result.set;
}

export function since(min: string, max: string | null = null): LoginRules["versions"] {
  const range = versionRange(min, max);
  if (range === undefined) throw new Error(`${min} is not in the table`);
  return range;
}

/** A login of an unknown player, in quiet times. */
export const facts: LoginAttempt = {
  ip: ip("203.0.113.7"),
  name: "Steve",
  nameValid: true,
  protocol: 758,
  form: "modern",
  forge: false,
  profileKey: undefined,
  frameBytes: 0,
  passed: undefined,
  attack: { isUnderAttack: false, relaxedTo: null },
  isTransfer: false,
  wire: 0,
};

/** One of many logins, each from a network of its own. */
export function named(n: number): Partial<LoginAttempt> {
  return { name: `P${n}`, ip: ip(`10.${n >> 8}.${n & 255}.1`) };
}

/** Addresses that the edge's lists name, and as what. */
const hidden = setOf("192.0.2.0/24");
export const listedAs: Refusal = { reason: "vpn", facts: { list: "hosting", asn: "AS64496" } };

export type Change = Partial<Omit<LoginRules, "mitigation">> & {
  readonly trusted?: AddressSet;
  readonly trustedNames?: ReadonlySet<string>;
  readonly mitigation?: Partial<MitigationConfig>;
};

/** Rules of a shield that asks nothing but what is named here. */
export function rulesOf({ trusted, trustedNames, mitigation, ...change }: Change): LoginRules {
  const config = { ...sampleShield().mitigation, ...mitigation };
  return {
    status: "active",
    blacklist: undefined,
    blacklistNames: undefined,
    exclusive: undefined,
    exclusiveNames: undefined,
    versions: since("1.8"),
    ...change,
    mitigation: mitigationRules(sampleShieldId, config, { trusted, trustedNames }),
  };
}

/** Verdicts about logins at one shield, at a time that is set here. */
export class Verdicts {
  nowMs = 1_800_000_000_000;
  state: ProtectionState & {
    readonly verified: VerifiedPlayers;
    readonly history: SourceHistory;
  } = {
    memory: new LoginMemory(LoginMemory.allocate(Buffer.from("8 random"))),
    history: new SourceHistory(SourceHistory.allocate(Buffer.from("8 random"))),
    verified: new VerifiedPlayers(
      VerifiedPlayers.allocate({ slots: 1_024 }),
      playerMac(Buffer.alloc(32, 1)),
    ),
    vpn: { find: (address) => (hidden.has(address) ? listedAs : undefined) },
    canAsk: () => true,
  };
  readonly shield = rulesOf({}).mitigation.shield;

  decide(change: Change, of: Partial<LoginAttempt> = {}): Verdict {
    return this.decideBy(rulesOf(change), { ...facts, ...of });
  }

  /** The verdict, counted. */
  decideBy(rules: LoginRules, of = facts): Verdict {
    return countVerdict(decideLogin(of, rules, this.state, this.nowMs));
  }

  /** Reason of a refusal, challenge of a verification, else `forward`. */
  told(change: Change, of: Partial<LoginAttempt> = {}): string {
    const verdict = this.decide(change, of);
    if (verdict.kind === "refuse") return verdict.refusal.reason;
    return verdict.kind === "verify" ? `verify ${verdict.challenge}` : verdict.kind;
  }

  sawPing(address: Uint8Array): void {
    this.state.memory.sawPing(this.shield, address, this.nowMs);
  }
}
