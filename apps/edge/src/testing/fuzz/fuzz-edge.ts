import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";
import { FdBudget } from "@palisade/shared-tables/shared-counters";
import { Admission } from "#src/admission/admission.ts";
import { Ingress } from "#src/admission/ingress.ts";
import { edgeLimits } from "#src/admission/limits.ts";
import { AttackDetector } from "#src/rules/attack-detector.ts";
import { SourceHistory } from "@palisade/login-rules/source-history";
import { LoginMemory } from "@palisade/login-rules/login-memory";
import { VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import { rangesOf } from "#src/routing/dial-policy.ts";
import type { ConnectionDeps } from "#src/connection/connection-deps.ts";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { ShieldRegistry } from "#src/shields/shield-registry.ts";
import { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import { OutcomeCounts } from "#src/telemetry/outcomes.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import { playerMac } from "@palisade/login-rules/shared/player-mac";
import { FalsePositiveDetector } from "#src/challenge/false-positive-detector.ts";
import { UsedCookies } from "#src/challenge/transfer-cookie.ts";
import { VerificationService } from "#src/challenge/verification-service.ts";
import { LoginBandwidth } from "#src/connection/login-bandwidth.ts";
import { TraceCodes } from "#src/telemetry/login-log.ts";
import { stubCaptchas } from "../stub-captchas.ts";
import { cookieKey } from "./corpus.ts";
import { FakeBackends } from "./fake-backends.ts";
import type { Random } from "./random.ts";

/** Small limits, so that they are reached. */
const rooms = { pendingMax: 60, pendingPerIpMax: 12, openPerIpMax: 16 };
const limits = { ...edgeLimits, ...rooms, loginMs: 4_000 };
const openFilesMax = 240;
/** Proxies that name their players. */
export const trustedNetwork = "10.0.0.0/8";

const ignored = { replace: () => undefined, remove: () => undefined };

/**
 * An edge without sockets, on whose clock `advance` lets time pass, with shields of many kinds.
 *
 * @param random of which its secrets are made
 */
export function createFuzzEdge(random: Random) {
  let clockMs = 1_000_000;
  const now = (): number => clockMs;
  const wheel = new TimerWheel(now);
  const counters = new CounterRegistry(now());
  const outcomes = new OutcomeCounts();
  const fds = new FdBudget(openFilesMax);
  const admission = new Admission(limits, fds);
  const attackDetector = new AttackDetector(AttackDetector.allocate());
  const backends = new FakeBackends(fds);
  const shields = new ShieldRegistry({
    counters,
    resolver: { watch: () => undefined, unwatch: () => undefined },
    ports: ignored,
    bedrockPorts: ignored,
    checks: ignored,
    statuses: { forget: () => undefined },
    attacks: attackDetector,
  });
  for (const config of shieldConfigs()) {
    const result = shields.apply(config);
    if (!result.ok) throw new Error(result.reason);
  }
  const verified = new VerifiedPlayers(VerifiedPlayers.allocate(), playerMac(random.bytes(32)));
  const clocks = { nowMs: now, monotonicMs: now };
  const verification = new VerificationService({
    ...clocks,
    limits: { ...verificationLimits, atOnceMax: 24, perShieldMax: 12 },
    verified,
    usedCookies: new UsedCookies(UsedCookies.allocate(1_024)),
    sessionServerUrl: "",
    captchas: stubCaptchas,
  });
  const deps: ConnectionDeps = {
    limits,
    wheel,
    hosts: shields.hosts,
    statuses: backends,
    dialler: backends.asDialler,
    health: {
      playersChanged: () => undefined,
      succeeded: () => undefined,
      hungUp: () => undefined,
    },
    admission,
    outcomes,
    log: backends.silentLog,
    logins: { note: () => undefined },
    attackSamples: { note: () => undefined },
    verification,
    mitigation: {
      memory: new LoginMemory(LoginMemory.allocate(random.bytes(8))),
      history: new SourceHistory(SourceHistory.allocate(random.bytes(8))),
      verified,
      vpn: { find: () => undefined, hasRanges: false },
      canAsk: (challenge, protocol) => verification.canAsk(challenge, protocol),
      attacks: attackDetector,
      falsePositives: new FalsePositiveDetector(FalsePositiveDetector.allocate(random.bytes(8))),
      ...clocks,
    },
    traceCodes: new TraceCodes(random.bytes(8)),
    relays: backends,
    playersPerShieldRoom: limits.playersPerShieldMax,
    loginBandwidth: new LoginBandwidth(now, limits.bytesPerSecondPerShield, 1),
  };
  return {
    deps,
    fds,
    backends,
    verification,
    shields,
    ingress: new Ingress(deps, rangesOf([trustedNetwork])),
    now,
    /** From now on chance is this. */
    reseed: (random: Random): void => backends.reseed(random),
    /** Events that other parts would fetch now and then. */
    forget(): void {
      counters.tick(clockMs);
      counters.drain(clockMs);
      outcomes.bySource.drain();
    },
    advance(ms: number): void {
      clockMs += ms;
      wheel.advance();
    },
  };
}

export type FuzzEdge = ReturnType<typeof createFuzzEdge>;

/** By the host that leads there. */
const kinds: Readonly<Record<string, Partial<ShieldConfig>>> = {
  "open.example": {},
  "whole.example": { status: "blocked" },
  "low.example": mitigated({ antibot: "low", advanced_antibot: true, anti_forge: true }),
  "high.example": mitigated({ antibot: "high" }),
  "strict.example": mitigated({ antibot: "extreme", advanced_antibot: true }),
  "rejoin.example": mitigated({ antibot: "high", cookie_key: null }),
  "shadow.example": mitigated({ antibot: "extreme", shadow: true, packet_bytes_max: 64 }),
  "limits.example": mitigated({
    logins_per_second: 1,
    rejoin_cooldown_ms: 5_000,
    packet_bytes_max: 40,
    attack_threshold: 3,
    antibot: "medium",
  }),
  "premium.example": mitigated({ secure_profiles: true }),
};

export const hosts: readonly string[] = [
  ...Object.keys(kinds),
  "high.example",
  "high.example",
  "rejoin.example",
  "strict.example",
  "sub.wild.example",
  "nowhere.test",
];

function mitigated(change: Partial<ShieldConfig["mitigation"]>): Partial<ShieldConfig> {
  const key = cookieKey.toString("base64");
  return { mitigation: { ...sampleShield().mitigation, cookie_key: key, ...change } };
}

export const shieldIdOf = (n: number): string =>
  `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`;

function shieldConfigs(): ShieldConfig[] {
  return Object.entries(kinds).map(([host, change], n) =>
    sampleShield({
      shield_id: shieldIdOf(n),
      label: `label${n}.gs.localhost`,
      domains: [sampleDomain(host), ...(n === 0 ? [sampleDomain("*.wild.example")] : [])],
      groups: [sampleGroup(sampleBackend(25_565, n))],
      ...change,
    }),
  );
}
