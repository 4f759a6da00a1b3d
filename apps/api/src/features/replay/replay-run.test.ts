import { randomUUID } from "node:crypto";
import { antibotLevels, networkActions } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { LoggedAttempt } from "@palisade/contract/edge/telemetry";
import { canBeAsked } from "@palisade/login-rules/askable";
import {
  type LoginAttempt,
  mitigationRules,
  type ProtectionState,
  type Signals,
} from "@palisade/login-rules/login-attempt";
import { LoginMemory } from "@palisade/login-rules/login-memory";
import {
  countVerdict,
  decideLogin,
  type LoginRules,
  signalsForLog,
} from "@palisade/login-rules/login-verdict";
import { SourceHistory } from "@palisade/login-rules/source-history";
import { noSignals, signalOf, suspicionOf } from "@palisade/login-rules/suspicion";
import { playerMac } from "@palisade/login-rules/shared/player-mac";
import { VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import { versionRange } from "@palisade/minecraft-protocol/java/versions";
import { formatIp } from "@palisade/minecraft-protocol/proxy/address";
import { sampleShield } from "@palisade/testing/sample-shield";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordedAttackTimes } from "./attack-times.ts";
import { type Replayed, ReplayRun } from "./replay-run.ts";
import { attemptOf } from "./replayed-login.ts";
import type { LoggedLogin } from "./replay.repository.ts";

const startMs = 1_800_000_000_000;
const shieldId = randomUUID();
const vpn = { reason: "vpn", facts: { list: "hosting" } } as const;

type NetworkRules = MitigationConfig["network_rules"];

const config = fc
  .record({
    logins_per_second: fc.constantFrom(null, 1, 3),
    rejoin_cooldown_ms: fc.constantFrom(null, 5_000, 30_000),
    packet_bytes_max: fc.constantFrom(null, 8_000),
    antibot: fc.constantFrom(...antibotLevels),
    advanced_antibot: fc.boolean(),
    secure_profiles: fc.boolean(),
    anti_vpn: fc.boolean(),
    anti_forge: fc.boolean(),
    network_rules: fc.record({
      countries: fc.constantFrom<NetworkRules["countries"]>(
        [],
        ...networkActions.map((action) => [{ country: "NL", action, until: null }]),
      ),
      networks: fc.constantFrom<NetworkRules["networks"]>(
        [],
        [{ asn: 64_496, action: "allow", until: null }],
      ),
    }),
  })
  .map((given): MitigationConfig => ({ ...sampleShield().mitigation, ...given, shadow: false }));

/** Few names and networks, so that they meet again. */
const login = fc.record({
  afterMs: fc.constantFrom(0, 300, 2_000, 40_000),
  name: fc.constantFrom("Alex", "Sam", "Bot_1", "Kid1", "Kid2", "Kid3", "Kid4", "Kid5", "Kid6"),
  network: fc.integer({ min: 0, max: 3 }),
  protocol: fc.constantFrom(47, 759, 765, 78),
  forge: fc.boolean(),
  frameBytes: fc.constantFrom(0, 0, 9_000),
  key: fc.constantFrom<LoginAttempt["profileKey"]>(
    undefined,
    { isReadable: true, expiresAtMs: startMs + 10 * 86_400_000 },
    { isReadable: true, expiresAtMs: 1_000 },
    { isReadable: false, expiresAtMs: 0 },
  ),
  pings: fc.boolean(),
  isListed: fc.boolean(),
  country: fc.constantFrom(null, "NL"),
  asn: fc.constantFrom(null, 64_496),
  isUnderAttack: fc.boolean(),
  passes: fc.boolean(),
  wire: fc.constantFrom(noSignals, signalOf("split_packet"), signalOf("early_bytes")),
});

/** The facts of a login as an edge logs them. */
function told(
  { frameBytes, forge, form, profileKey: key, attack }: LoginAttempt,
  known: {
    readonly passed: LoginAttempt["passed"];
    readonly pinged: boolean;
    readonly isListed: boolean;
    readonly signals: Signals | undefined;
  },
): LoggedAttempt {
  return {
    ...(known.signals !== undefined && known.signals !== 0 && suspicionOf(known.signals)),
    ...(frameBytes > 0 && { frame_bytes: frameBytes }),
    ...(forge && { forge: true }),
    ...(form === "legacy" && { legacy: true }),
    ...(key !== undefined && { profile_key: key.isReadable ? key.expiresAtMs : "unreadable" }),
    ...(known.passed !== undefined && { passed: known.passed }),
    ...(!known.pinged && { ping: "none" }),
    ...(known.isListed && { vpn: vpn.facts }),
    ...(attack.isUnderAttack && { attack: true }),
  };
}

test("under the settings of its time, the replay of a log gives every verdict that the edge gave", () => {
  fc.assert(
    fc.property(config, fc.array(login, { maxLength: 60 }), (settings, logins) => {
      const rules: LoginRules = {
        status: "active",
        blacklist: undefined,
        blacklistNames: undefined,
        exclusive: undefined,
        exclusiveNames: undefined,
        versions: versionRange("1.8", null) ?? { has: () => true },
        mitigation: mitigationRules(shieldId, settings, {
          trusted: undefined,
          trustedNames: undefined,
        }),
      };
      const memory = new LoginMemory(LoginMemory.allocate(Buffer.from("8 random")));
      const verified = new VerifiedPlayers(
        VerifiedPlayers.allocate({ slots: 1_024 }),
        playerMac(Buffer.alloc(32, 1)),
      );
      const history = new SourceHistory(
        SourceHistory.allocate(Buffer.from("8 random"), { failed: 64, networks: 64, players: 64 }),
      );
      const { shield } = rules.mitigation;
      const run = new ReplayRun(rules, recordedAttackTimes([]));
      let nowMs = startMs;
      for (const [n, one] of logins.entries()) {
        nowMs += one.afterMs;
        const ip = Uint8Array.of(198, 51, one.network, 7);
        const attempt: LoginAttempt = {
          ip,
          name: one.name,
          nameValid: true,
          protocol: one.protocol,
          form: one.protocol === 78 ? "legacy" : "modern",
          forge: one.forge,
          profileKey: one.key,
          frameBytes: one.frameBytes,
          passed: undefined,
          attack: { isUnderAttack: one.isUnderAttack, relaxedTo: null },
          isTransfer: false,
          wire: one.wire,
        };
        if (one.pings) memory.sawPing(shield, ip, nowMs);
        const before = {
          passed: verified.passedChallenge(one.name, ip, nowMs),
          pinged: memory.hasPinged(shield, ip, nowMs),
          isListed: one.isListed,
        };
        const state: ProtectionState = {
          memory,
          verified,
          vpn: { find: () => (one.isListed ? vpn : undefined) },
          canAsk: canBeAsked,
          history,
          place: () => ({ country: one.country ?? undefined, asn: one.asn ?? undefined }),
        };
        const known = { ...before, signals: signalsForLog(attempt, rules, state, nowMs) };
        const decided = decideLogin(attempt, rules, state, nowMs);
        // It is dropped unread, and no entry tells of it.
        if (decided.kind !== "refuse" && one.frameBytes > 0) continue;
        const verdict = countVerdict(decided);
        if (verdict.kind !== "refuse" && verdict.holdsName) memory.releaseName(shield, one.name);
        const entry: Omit<LoggedLogin, "verdict" | "facts" | "attempt"> = {
          id: String(n),
          at: new Date(nowMs),
          edgeId: "one",
          shadow: false,
          player: one.name,
          ip: formatIp(ip),
          country: one.country,
          asn: one.asn === null ? null : String(one.asn),
          protocol: one.protocol,
          trace: "7K3M9QXW",
        };
        let asked: LoggedAttempt["asked"];
        let expected: Replayed = { outcome: "admitted", refusal: undefined };
        let logged: Pick<LoggedLogin, "verdict" | "facts"> = { verdict: "joined", facts: {} };
        if (verdict.kind === "refuse") {
          const { reason, facts } = verdict.refusal;
          expected = { outcome: "refused", refusal: reason };
          logged = { verdict: reason, facts };
        } else if (verdict.kind === "verify" && one.passes) {
          verified.add(one.name, ip, verdict.challenge, nowMs);
          const { challenge } = verdict;
          expected = { outcome: "verify", refusal: undefined, challenge };
          logged = { verdict: "verified", facts: {} };
        } else if (verdict.kind === "verify") {
          const isUnpaid = verdict.challenge === "premium";
          const refusal = isUnpaid && settings.secure_profiles ? "secure_profiles" : "bot_check";
          expected = { outcome: "refused", refusal };
          const verification = isUnpaid ? "not-premium" : "silence";
          logged = { verdict: refusal, facts: { verification } };
          asked = verdict.challenge;
          if (!isUnpaid) history.failed(ip, undefined, false, nowMs);
        }
        const facts = { ...told(attempt, known), ...(asked !== undefined && { asked }) };
        expect(run.decide(attemptOf({ ...entry, ...logged, attempt: facts }))).toEqual(expected);
      }
    }),
    { numRuns: 150 },
  );
});
