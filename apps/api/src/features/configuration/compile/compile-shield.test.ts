import type { ProofKind } from "@palisade/contract/http/backends";
import { bedrockPortsAt } from "@palisade/contract/edge/bedrock-ports-at";
import { shieldConfig, type ShieldConfig } from "@palisade/contract/edge/shield-config";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyShieldConfig, shieldConfig6 } from "@palisade/contract/edge/earlier-shield-config";
import { productFeatures } from "@palisade/contract/product-features";
import { pricingPlans } from "../../../../seeds/plans.ts";
import type { StoredMessages } from "./compile-messages.ts";
import { compileShield, ConfigRejected, encodeConfig, type ShieldRows } from "./compile-shield.ts";
import { parseMitigation } from "#src/features/configuration/mitigation-settings.service.ts";

const shieldId = "0198a6e0-0000-7000-8000-000000000001";
const groupId = "0198a6e0-0000-7000-8000-000000000002";
const backendId = "0198a6e0-0000-7000-8000-000000000003";
const claimed = new Date("2026-11-20T10:00:00.000Z");

const cookieKey = Buffer.alloc(32, 7).toString("base64");
const planLimits = pricingPlans(productFeatures)[0]?.limits;

/** Nothing written, every text the product's. */
const noMessages: StoredMessages = {
  version_info: "",
  motd_line1: "",
  motd_line2: "",
  offline_info: "",
  offline_kick_msg: "",
  blacklist_msg: "",
  whitelist_msg: "",
  forge_msg: "",
  invalid_version_msg: "",
  rejoin_msg: "",
  bot_check_msg: "",
  cooldown_msg: "",
  max_connections_msg: "",
  secure_profiles_msg: "",
  vpn_msg: "",
  bot_name_msg: "",
  offline_image: null,
};

function claimOf(name: string, verified_at: Date | null = null): ShieldRows["domains"][number] {
  return { name, created_at: claimed, verified_at, group_id: null };
}

const backend: ShieldRows["backends"][number] = {
  id: backendId,
  group_id: groupId,
  host: "203.0.113.9",
  port: 25_565,
  bedrock_port: null,
  bedrock_proxy: "off",
  proof_kind: null,
  proof_address: null,
};

const withBedrock: ShieldRows["shield"] = {
  id: shieldId,
  status: "active",
  traffic_used_up: false,
  cname_record: "abcdefabcdef.gs.localhost",
  plan_limits: { ...planLimits, bedrock: true },
};

/** A random port, and the default one. */
const held: ShieldRows["bedrock"] = {
  enabled: true,
  ports: [
    { port: 24_817, locations: null },
    { port: 19_132, locations: ["local"] },
  ],
};

/** The backend in a group for Minecraft, and in one for a game that is not parsed. */
function withOther(server: typeof backend): ShieldRows {
  const groups = rows().groups.flatMap((group) => [
    group,
    { ...group, id: shieldId, game: "other" as const, is_default: false, port: 30_000 },
  ]);
  return rows({ groups, backends: groups.map(({ id }) => ({ ...server, group_id: id })) });
}

function rows(changes: Partial<ShieldRows> = {}): ShieldRows {
  return {
    shield: { ...withBedrock, plan_limits: planLimits },
    domains: [claimOf("mc.example.com")],
    groups: [
      {
        id: groupId,
        name: "Default",
        balancing: "round_robin",
        proxy_protocol: false,
        is_default: true,
        game: "minecraft",
        region: "anycast_legacy",
        port: null,
      },
    ],
    backends: [backend],
    firewall: { blacklist_enabled: true, whitelist_enabled: true, whitelist_only: false },
    entries: { blacklist: ["1.2.3.4"], whitelist: ["2001:db8::/64"] },
    names: { blacklist: ["Griefer_1"] },
    notes: {},
    ends: {},
    networkRules: [],
    messages: noMessages,
    caching: { enabled: true, purges: 0 },
    bedrock: { enabled: false, ports: [] },
    mitigation: parseMitigation({}),
    tryAddress: undefined,
    ...changes,
  };
}

function compile(given: ShieldRows, allowUnproven = true): ShieldConfig {
  const texts = compileShield(given, { revision: 7, allowUnproven, cookieKey });
  // Whatever is compiled, an edge of the version before takes its own part of it.
  shieldConfig6.parse(JSON.parse(texts?.[6] ?? "null"));
  return shieldConfig.parse(JSON.parse(texts?.[7] ?? "null"));
}

describe("compileShield", () => {
  test("carries label, domains, backends and lists of the rows", () => {
    expect(compile(rows())).toMatchObject({
      schema: 7,
      shield_id: shieldId,
      revision: 7,
      status: "active",
      label: "abcdefabcdef.gs.localhost",
      domains: [{ name: "mc.example.com", proven: false, claimed_at: claimed.toISOString() }],
      groups: [{ default: true, backends: [{ host: "203.0.113.9", port: 25_565 }] }],
      lists: { blacklist: ["1.2.3.4"], whitelist: ["2001:db8::/64"], whitelist_only: false },
    });
  });

  test("rules by country and network are told with their ends, ended ones too", () => {
    const ended = new Date("2026-01-01T00:00:00.000Z");
    const networkRules: ShieldRows["networkRules"] = [
      { country: "NL", asn: null, action: "block", expires_at: null },
      { country: null, asn: "4294967295", action: "allow", expires_at: ended },
    ];
    expect(compile(rows({ networkRules })).mitigation.network_rules).toEqual({
      countries: [{ country: "NL", action: "block", until: null }],
      networks: [{ asn: 4_294_967_295, action: "allow", until: ended.getTime() }],
    });
  });

  test("names are told in lower case", () => {
    expect(compile(rows()).lists).toMatchObject({
      blacklist_names: ["griefer_1"],
      whitelist_names: [],
    });
  });

  test("Bedrock is told with its ports", () => {
    const withPort = { ...backend, bedrock_port: 19_132, bedrock_proxy: "first" as const };
    const given = rows({ shield: withBedrock, backends: [withPort], bedrock: held });
    const compiled = compile(given);
    expect(compiled.bedrock).toEqual({
      ports: [24_817, 19_132],
      only_in: [{ port: 19_132, locations: ["local"] }],
    });
    expect(bedrockPortsAt(compiled.bedrock, "local")).toEqual([24_817, 19_132]);
    expect(bedrockPortsAt(compiled.bedrock, "frankfurt")).toEqual([24_817]);
    expect(compiled.groups[0]?.backends[0]).toMatchObject({
      bedrock_port: 19_132,
      bedrock_proxy: "first",
    });
  });

  test("an edge of the version before gets all that it understands, and reads it after its upgrade", () => {
    const given = rows({ shield: withBedrock });
    const texts = compileShield(given, { revision: 7, allowUnproven: true, cookieKey });
    const before = shieldConfig6.parse(JSON.parse(texts?.[6] ?? ""));
    expect(JSON.stringify(before)).not.toMatch(/network_rules|verified_ms|expires/);
    expect(anyShieldConfig.parse(before)).toEqual(compile(given));
  });

  test("Bedrock that is off or not in the plan opens no port; nor does one for another game", () => {
    const none = { ports: [], only_in: [] };
    const off = { ...held, enabled: false };
    expect(compile(rows({ shield: withBedrock, bedrock: off })).bedrock).toEqual(none);
    const without = { ...withBedrock, plan_limits: { ...planLimits, bedrock: false } };
    const withPort = { ...backend, bedrock_port: 19_132 };
    const compiled = compile(rows({ shield: without, backends: [withPort], bedrock: held }));
    expect(compiled.bedrock).toEqual(none);
    expect(compiled.groups[0]?.backends[0]?.bedrock_port).toBeNull();
    const { groups } = compile({ ...withOther(withPort), shield: withBedrock });
    expect(groups.map(({ backends: [first] }) => first?.bedrock_port)).toEqual([19_132, null]);
  });

  test("any proof counts for Minecraft, and the owner's alone for another game", () => {
    const provenBy = (proof_kind: ProofKind | null, isDevelopment = false) => {
      const proof_address = proof_kind === "minecraft" ? null : backend.host;
      const server = { ...backend, proof_kind, proof_address };
      const { groups } = compile(withOther(server), isDevelopment);
      return groups.map(({ backends: [first] }) => first?.proven);
    };
    expect(provenBy(null)).toEqual([false, false]);
    // Any customer of a proxy that many share can show a MOTD.
    for (const kind of ["minecraft", "motd"] as const) {
      expect(provenBy(kind), kind).toEqual([true, false]);
    }
    for (const kind of ["upgrade", "greeting", "record"] as const) {
      expect(provenBy(kind), kind).toEqual([true, true]);
    }
    expect(provenBy(null, true)).toEqual([false, true]);
  });

  test("a proof without an address opens no other game, or it would open all hosts of a name", () => {
    for (const proof_kind of ["upgrade", "greeting"] as const) {
      const { groups } = compile(withOther({ ...backend, proof_kind }), false);
      const proven = groups.map(({ backends: [first] }) => first?.proven);
      expect(proven, proof_kind).toEqual([true, false]);
    }
  });

  test("behind another game stands the address that its owner proved, whatever its name leads to", () => {
    const named = {
      ...backend,
      host: "play.example.com",
      proof_kind: "greeting",
      proof_address: "203.0.113.7",
    } as const;
    const { groups } = compile(withOther(named), false);
    const hosts = groups.map(({ backends: [first] }) => first?.host);
    expect(hosts).toEqual(["play.example.com", "203.0.113.7"]);
  });

  test("an unproven domain is never routed in production, a proven one is", () => {
    expect(compile(rows(), false).domains).toEqual([]);
    const proven = [claimOf("mc.example.com", claimed)];
    expect(compile(rows({ domains: proven }), false).domains).toMatchObject([{ proven: true }]);
  });

  test("empty messages are the product's", () => {
    expect(compile(rows()).messages).toMatchObject({
      blacklist: "§cYou are blocked on this server.\n§8{trace}",
      whitelist: "§eThis server is in maintenance.\n§7Please come back later.\n§8{trace}",
      offline_kick: "§cThis server is offline at the moment.\n§7Please try again later.\n§8{trace}",
      offline_version: "§cOffline",
      offline_motd: ["§cThis server is offline", "§7Please try again later"],
    });
  });

  test("colour codes with & reach the game with §; other ampersands stay", () => {
    const messages = {
      ...rows().messages,
      blacklist_msg: "&cNo &LTom & Jerry&z\r\nbye",
      motd_line1: "&aone\ntwo",
    };
    const compiled = compile(rows({ messages })).messages;
    expect(compiled.blacklist).toBe("§cNo §LTom & Jerry&z\nbye\n§8{trace}");
    expect(compiled.offline_motd).toEqual(["§aone two", ""]);
  });

  test("placeholders that the api knows are filled in; without an invitation {discord} is empty", () => {
    const messages = {
      ...rows().messages,
      forge_msg: "{discord} {min_version} {player} {seconds} {trace}",
      vpn_msg: "{discord}".repeat(56),
    };
    const discordInviteUrl = `https://discord.gg/$&${"x".repeat(40)}`;
    const given = { revision: 7, allowUnproven: true, cookieKey, discordInviteUrl };
    const text = compileShield(rows({ messages }), given)?.[7] ?? "";
    const { forge, vpn } = shieldConfig.parse(JSON.parse(text)).messages;
    expect(forge).toBe(`${discordInviteUrl} 1.8 {player} {seconds} {trace}`);
    expect(vpn).toHaveLength(2_048);
    expect(compile(rows({ messages })).messages.forge).toMatch(/^ 1\.8 /);
  });

  test("the plan's share of an edge is in it; an older plan leaves it to the edge", () => {
    const { players, half_open_logins, bytes_per_second, ...older } = planLimits ?? {};
    expect(compile(rows()).shares).toEqual({ players, half_open_logins, bytes_per_second });
    const { shield } = rows();
    expect(compile(rows({ shield: { ...shield, plan_limits: older } })).shares).toEqual({
      players: null,
      half_open_logins: null,
      bytes_per_second: null,
    });
  });

  test("used-up traffic is a status of its own, of active shields alone", () => {
    const { shield } = rows();
    const usedUp = (status: "active" | "expired" | "blocked") => {
      const changes = { shield: { ...shield, status, traffic_used_up: true } };
      return compile(rows(changes)).status;
    };
    expect(usedUp("active")).toBe("traffic_used_up");
    expect([usedUp("expired"), usedUp("blocked")]).toEqual(["expired", "blocked"]);
  });

  test("a plan without own texts has the product's, whatever the owner wrote before", () => {
    const { shield } = rows();
    const limited = { ...shield, plan_limits: { ...planLimits, customization: false } };
    const messages = { ...noMessages, blacklist_msg: "Own words", offline_image: Buffer.from("x") };
    const [own, none] = [shield, limited].map((of) => compile(rows({ shield: of, messages })));
    expect(own?.messages.blacklist).toContain("Own words");
    expect(none?.messages.blacklist).not.toContain("Own words");
    expect([own?.offline_icon === null, none?.offline_icon]).toEqual([false, null]);
  });

  test("a deleted shield has no configuration", () => {
    const shield = { ...rows().shield, status: "deleted" as const };
    expect(
      compileShield(rows({ shield }), { revision: 7, allowUnproven: true, cookieKey }),
    ).toBeNull();
  });

  test("a shield that an edge would refuse is refused here: no group, a bad host, too many entries", () => {
    const bad: Partial<ShieldRows>[] = [
      { groups: [] },
      { backends: [{ ...backend, host: "" }] },
      { domains: [claimOf("UPPER.example")] },
      { names: { whitelist: ["no name"] } },
      { entries: { blacklist: Array.from({ length: 10_001 }, () => "1.2.3.4") } },
    ];
    for (const changes of bad) expect(() => compile(rows(changes))).toThrow(ConfigRejected);
  });

  test("lists are of 10,000 texts of 2 to 64 characters, and nothing else", () => {
    const list = (length: number) => Array.from({ length }, () => "1.2.3.4");
    const base = compile(rows());
    const takes = (value: unknown) =>
      (["blacklist", "whitelist"] as const).map((type) => {
        const lists = { ...base.lists, [type]: value };
        const isTaken = shieldConfig.safeParse({ ...base, lists }).success;
        if (isTaken) expect(encodeConfig({ ...base, lists })[7]).toContain(JSON.stringify(lists));
        else expect(() => encodeConfig({ ...base, lists })).toThrow(ConfigRejected);
        return isTaken;
      });
    for (const good of [[], ["::"], ["x".repeat(64)], list(10_000)]) {
      expect(takes(good)).toEqual([true, true]);
    }
    const other = [undefined, null, "1.2.3.4", { length: 0 }, [1234], ["::", null], [["::"]]];
    for (const bad of [...other, [":"], [""], ["::", "x".repeat(65)], list(10_001)]) {
      expect(takes(bad)).toEqual([false, false]);
    }
  });

  test("a configuration beyond the size cap is refused as oversize", () => {
    const groups = Array.from({ length: 64 }, (_, index) => ({
      id: `0198a6e0-0000-7000-8000-0000000001${String(index).padStart(2, "0")}`,
      name: "g".repeat(255),
      balancing: "round_robin" as const,
      proxy_protocol: false,
      is_default: index === 0,
      game: "minecraft" as const,
      region: "anycast_legacy",
      port: null,
    }));
    const backends = groups.flatMap(({ id }) =>
      Array.from({ length: 64 }, () => ({
        ...backend,
        group_id: id,
        host: `${"h".repeat(250)}.eu`,
      })),
    );
    const list = Array.from(
      { length: 10_000 },
      (_, index) => `2001:db8:1234:5678:9abc:def0:1234:${index.toString(16)}/128`,
    );
    const entries = { blacklist: list, whitelist: list };
    const attempt = () =>
      compileShield(rows({ groups, backends, entries }), {
        revision: 7,
        allowUnproven: true,
        cookieKey,
      });
    expect(attempt).toThrow(ConfigRejected);
    expect(attempt).toThrow(/exceed/);
  });

  test("whatever an owner writes compiles to something every edge takes", () => {
    const message = fc.string({ unit: "binary", maxLength: 512 });
    const written = Object.keys(noMessages).filter((key) => key !== "offline_image");
    const messages = fc.record(Object.fromEntries(written.map((key) => [key, message])));
    fc.assert(
      fc.property(messages, (stored) => {
        const compiled = compile(rows({ messages: { ...noMessages, ...stored } })).messages;
        for (const line of compiled.offline_motd) expect(line).not.toContain("\n");
        expect(compiled.blacklist).not.toBe("");
      }),
    );
  });
});
