import type { LoginEntry } from "@palisade/contract/edge/telemetry";
import { expect, test } from "vitest";
import {
  changesOf,
  eachTestReplays,
  networkOf as from,
  noMitigation as quiet,
  type ReplayOfTest,
  type ToldLogin,
} from "#src/test-support/test-replay.ts";

/** The answer of a replay for each setting. */

let at: ReplayOfTest;
eachTestReplays((current) => (at = current));

const valid = Date.parse("2100-01-01T00:00:00Z");

/** A player who was asked to pass a challenge, and did not. */
function failed(
  player: string,
  {
    asked,
    fault,
    ...login
  }: Pick<ToldLogin, "ago" | "ip"> & {
    readonly asked: NonNullable<NonNullable<LoginEntry["attempt"]>["asked"]>;
    readonly fault: string;
  },
): ToldLogin {
  const facts = { verification: fault };
  const attempt = { asked };
  // The edge can ask players with this version for any challenge.
  return { ...login, player, protocol: 340, verdict: "bot_check", facts, attempt };
}

interface Case {
  readonly name: string;
  readonly saved?: object;
  readonly proposed: object;
  readonly logins: readonly ToldLogin[];
  readonly changes: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a higher level verifies each unknown player once",
    proposed: { antibot_level: "high" },
    logins: [
      { ago: 90, player: "New", ip: from(1) },
      { ago: 80, player: "Known", ip: from(2), attempt: { passed: "gravity" } },
      { ago: 70, player: "new", ip: "198.51.1.99" },
      { ago: 60, player: "New", ip: from(3) },
    ],
    changes: ["New: admitted > verify", "New: admitted > verify"],
  },
  {
    name: "a player who failed the check is not let in by another level that checks them",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "extreme" },
    logins: [
      { ago: 50, player: "Bot", verdict: "bot_check", facts: { verification: "silence" } },
      { ago: 20, player: "Alex", verdict: "verified", ip: from(1) },
    ],
    changes: [],
  },
  {
    name: "without a level the verified and the refused of before just join",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "disabled" },
    logins: [
      { ago: 50, player: "Bot", verdict: "bot_check", facts: { verification: "silence" } },
      { ago: 20, player: "Alex", verdict: "verified", ip: from(1) },
    ],
    changes: ["Bot: bot_check > admitted", "Alex: verify > admitted"],
  },
  {
    name: "fewer logins per second refuse the later ones of each second",
    proposed: { max_connections_enabled: true, max_connections: 2 },
    logins: [
      { ago: 9, player: "A", ip: from(1) },
      { ago: 8.9, player: "B", ip: from(2) },
      { ago: 8.8, player: "C", ip: from(3) },
      { ago: 7.9, player: "D", ip: from(4) },
    ],
    changes: ["C: admitted > max_connections"],
  },
  {
    name: "the cooldown refuses who comes back too soon, and no verified player",
    proposed: { rejoin_cooldown_enabled: true, rejoin_cooldown: 10 },
    logins: [
      { ago: 60, player: "Alex", ip: from(1) },
      { ago: 55, player: "Alex", ip: from(1) },
      { ago: 45, player: "Alex", ip: from(1) },
      { ago: 44, player: "Sam", ip: from(2), attempt: { passed: "protocol" } },
      { ago: 43, player: "Sam", ip: from(2), attempt: { passed: "protocol" } },
    ],
    changes: ["Alex: admitted > cooldown"],
  },
  {
    name: "a login is counted when it was decided, not when its player had joined",
    proposed: { rejoin_cooldown_enabled: true, rejoin_cooldown: 10 },
    logins: [
      { ago: 40, player: "Slow", ip: from(1), attempt: { waited_ms: 20_000 } },
      { ago: 46, player: "Slow", ip: from(1), attempt: { waited_ms: 1_000 } },
    ],
    changes: [],
  },
  {
    name: "anti-VPN refuses the addresses that edges have found in their lists",
    proposed: { anti_vpn: true },
    logins: [
      { ago: 9, player: "Hidden", attempt: { vpn: { list: "hosting" } } },
      { ago: 8, player: "Alex", ip: from(1) },
    ],
    changes: ["Hidden: admitted > vpn"],
  },
  {
    name: "anti-Forge refuses clients with Forge; off, it lets them in",
    saved: { ...quiet, anti_forge: true },
    proposed: { anti_forge: false },
    logins: [{ ago: 9, player: "Modded", verdict: "forge", attempt: { forge: true } }],
    changes: ["Modded: forge > admitted"],
  },
  {
    name: "a login that no edge would read is let in by no packet size",
    saved: { ...quiet, max_packet_size_enabled: true, max_packet_size: 8_000 },
    proposed: { max_packet_size: 10_000 },
    logins: [
      {
        ago: 9,
        player: "",
        verdict: "packet_size",
        facts: { bytes: "9000" },
        attempt: { frame_bytes: 9_000 },
      },
    ],
    changes: [],
  },
  {
    name: "a weaker level checks players who failed the stronger one, unless they answered nothing",
    saved: { ...quiet, antibot_level: "extreme" },
    proposed: { antibot_level: "high" },
    logins: [
      failed("Real", { ago: 50, ip: from(1), asked: "captcha", fault: "wrong-code" }),
      failed("Bot", { ago: 40, ip: from(2), asked: "captcha", fault: "silence" }),
    ],
    changes: ["Real: bot_check > verify"],
  },
  {
    name: "without secure profiles no player is refused for an account that was not paid",
    saved: { ...quiet, antibot_level: "high", secure_profiles: true },
    proposed: { secure_profiles: false },
    logins: [
      {
        ...failed("Free", { ago: 50, ip: from(1), asked: "premium", fault: "not-premium" }),
        verdict: "secure_profiles",
      },
    ],
    changes: ["Free: secure_profiles > verify"],
  },
  {
    name: "a failure of the edge says nothing about the player",
    saved: { ...quiet, antibot_level: "high" },
    proposed: { antibot_level: "extreme" },
    logins: [failed("Late", { ago: 50, ip: from(1), asked: "protocol", fault: "no-room" })],
    changes: [],
  },
  {
    name: "a check lets no player join a backend that is down",
    proposed: { antibot_level: "high" },
    logins: [{ ago: 9, player: "Alex", verdict: "offline" }],
    changes: [],
  },
  {
    name: "a transferred player without a cookie is refused at any level but in shadow mode",
    saved: { ...quiet, antibot_level: "low" },
    proposed: { antibot_level: "high" },
    logins: [{ ago: 9, player: "Bot", verdict: "bot_check", facts: { cookie: "left" } }],
    changes: [],
  },
  {
    name: "a larger packet size lets in the packets that are within it",
    saved: { ...quiet, max_packet_size_enabled: true, max_packet_size: 8_000 },
    proposed: { max_packet_size: 10_000 },
    logins: [
      { ago: 9, player: "A", verdict: "packet_size", facts: { bytes: "9000" } },
      { ago: 8, player: "B", verdict: "packet_size", facts: { bytes: "12000" }, ip: from(1) },
    ],
    changes: ["A: packet_size > admitted"],
  },
  {
    name: "secure profiles look at the key where the version shows one, and at the account elsewhere",
    proposed: { secure_profiles: true },
    logins: [
      { ago: 9, player: "None", protocol: 759, ip: from(1) },
      { ago: 8, player: "Old", protocol: 759, ip: from(2), attempt: { profile_key: 1_000 } },
      { ago: 7, player: "Good", protocol: 759, ip: from(3), attempt: { profile_key: valid } },
      { ago: 6, player: "Odd", protocol: 759, ip: from(4), attempt: { profile_key: "unreadable" } },
      { ago: 5, player: "Later", protocol: 765, ip: from(5) },
    ],
    changes: [
      "None: admitted > secure_profiles",
      "Old: admitted > secure_profiles",
      "Odd: admitted > secure_profiles",
      "Later: admitted > verify",
    ],
  },
  {
    name: "names of tools are refused by Advanced AntiBot",
    proposed: { advanced_antibot: true },
    logins: [
      { ago: 9, player: "Bot_17", ip: from(1) },
      { ago: 8, player: "Alex", ip: from(2) },
    ],
    changes: ["Bot_17: admitted > bot_name"],
  },
  {
    name: "a lower threshold makes an attack of a rush, in which newcomers have to have pinged",
    saved: { ...quiet, antibot_level: "low" },
    proposed: {
      mitigation_threshold_enabled: true,
      mitigation_threshold: 2,
      mitigation_duration_enabled: false,
    },
    logins: [
      { ago: 60, player: "A", ip: from(1), attempt: { ping: "none" } },
      { ago: 59.9, player: "B", ip: from(2), attempt: { ping: "none" } },
      { ago: 59.8, player: "C", ip: from(3), attempt: { ping: "none" } },
      { ago: 55, player: "D", ip: from(4), attempt: { ping: "none" } },
      { ago: 54, player: "Pinged", ip: from(5) },
      { ago: 30, player: "E", ip: from(6), attempt: { ping: "none" } },
    ],
    changes: ["C: admitted > bot_check", "D: admitted > bot_check"],
  },
  {
    name: "a higher threshold makes no attack of what was one",
    saved: {
      ...quiet,
      antibot_level: "low",
      mitigation_threshold_enabled: true,
      mitigation_threshold: 2,
    },
    proposed: { mitigation_threshold: 90 },
    logins: [
      {
        ago: 60,
        player: "A",
        ip: from(1),
        verdict: "bot_check",
        attempt: { attack: true, ping: "none" },
      },
      { ago: 59, player: "B", ip: from(2), attempt: { attack: true } },
    ],
    changes: ["A: bot_check > admitted"],
  },
  {
    name: "shadow mode lets in what mitigation refuses, and goes on refusing other versions",
    saved: { ...quiet, anti_forge: true },
    proposed: {
      shadow_mode: true,
      minecraft_version_range_enabled: true,
      minecraft_versions: { min: "1.20", max: "1.21" },
    },
    logins: [
      { ago: 9, player: "Modded", verdict: "forge", attempt: { forge: true } },
      { ago: 8, player: "Old", protocol: 47, ip: from(1) },
    ],
    changes: ["Modded: forge > admitted", "Old: admitted > invalid_version"],
  },
];

test.each(cases)("$name", async ({ saved = quiet, proposed, logins, changes }) => {
  await at.save(saved);
  await at.log(logins);
  const answer = await at.replay(proposed);
  expect(changesOf(answer)).toEqual(changes);
  expect(answer).toMatchObject({
    logins: logins.length,
    left_out: 0,
    assumed: 0,
    differing: 0,
    is_shortened: false,
  });
  // Nothing was saved.
  expect(changesOf(await at.replay({}))).toEqual([]);
});
