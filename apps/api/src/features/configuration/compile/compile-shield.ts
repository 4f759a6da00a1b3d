import {
  type configSchemaVersions,
  shieldConfig,
  shieldConfigBytesMax,
  type BackendGroupConfig,
  type ShieldConfig,
} from "@palisade/contract/edge/shield-config";
import {
  shieldConfig6,
  toSchema6,
  type ShieldConfig6,
} from "@palisade/contract/edge/earlier-shield-config";
import { endKey } from "@palisade/contract/edge/plain-values";
import { listTypes } from "@palisade/contract/http/firewall-entry";
import { everyRegion, type ProofKind } from "@palisade/contract/http/backends";
import type { MitigationSettings } from "@palisade/contract/http/mitigation";
import type { z } from "zod";
import { entitlements, type Entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ListType, ShieldStatus } from "#src/schema/shields.ts";
import { isProven } from "../backend-proof.policy.ts";
import {
  compileMitigation,
  compileVersions,
  type NetworkRuleRows,
  type StoredTryAddress,
} from "./compile-mitigation.ts";
import {
  compileMessages,
  offlineIcon,
  ownMessages,
  type StoredMessages,
} from "./compile-messages.ts";

/** An address or name as the list has it, and when it ends, in ms since 1970. */
export type EntryEnd = readonly [entry: string, endMs: number];

/** Everything a configuration is made from, as the tables hold it. */
export interface ShieldRows {
  readonly shield: {
    readonly id: string;
    readonly status: ShieldStatus;
    /** New players are refused for the rest of the month. */
    readonly traffic_used_up: boolean;
    readonly cname_record: string;
    /** The limits of the plan, as stored. */
    readonly plan_limits: unknown;
  };
  readonly domains: readonly {
    readonly name: string;
    readonly created_at: Date;
    readonly verified_at: Date | null;
    readonly group_id: string | null;
  }[];
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly balancing: BackendGroupConfig["balancing"];
    readonly proxy_protocol: boolean;
    readonly is_default: boolean;
    readonly game: BackendGroupConfig["game"];
    readonly region: string;
    readonly port: number | null;
  }[];
  readonly backends: readonly {
    readonly id: string;
    readonly group_id: string;
    readonly host: string;
    readonly port: number;
    readonly bedrock_port: number | null;
    readonly bedrock_proxy: BackendGroupConfig["backends"][number]["bedrock_proxy"];
    readonly proof_kind: ProofKind | null;
    readonly proof_address: string | null;
  }[];
  readonly firewall: {
    readonly blacklist_enabled: boolean;
    readonly whitelist_enabled: boolean;
    readonly whitelist_only: boolean;
  };
  /** Addresses of each list that has any. */
  readonly entries: Readonly<Partial<Record<ListType, readonly string[]>>>;
  /** Names of players on each list that has any, as they were typed. */
  readonly names: Readonly<Partial<Record<ListType, readonly string[]>>>;
  /** Each an entry, a blank and its note; of entries that have one. */
  readonly notes: Readonly<Partial<Record<ListType, readonly string[]>>>;
  readonly ends: Readonly<Partial<Record<ListType, readonly EntryEnd[]>>>;
  /** Rules by country and network. */
  readonly networkRules: NetworkRuleRows;
  readonly messages: StoredMessages;
  readonly caching: { readonly enabled: boolean; readonly purges: number };
  readonly bedrock: {
    readonly enabled: boolean;
    readonly ports: readonly {
      readonly port: number;
      /** The locations in which the shield owns the port; null for all. */
      readonly locations: readonly string[] | null;
    }[];
  };
  readonly mitigation: MitigationSettings;
  readonly tryAddress: StoredTryAddress | undefined;
}

/** By schema version. */
export type CompiledConfigs = Readonly<Record<(typeof configSchemaVersions)[number], string>>;

export interface CompileOptions {
  readonly revision: number;
  /**
   * Development routes domains, and relays players of games that are not parsed, before they are
   * proven; production never does.
   */
  readonly allowUnproven: boolean;
  /** The shield's own; base64. */
  readonly cookieKey: string;
  /** The value of `{discord}`; empty without an invitation. */
  readonly discordInviteUrl?: string | undefined;
}

/** A configuration no edge would take; refused before it is committed. */
export class ConfigRejected extends Error {
  readonly kind: "oversize" | "invalid";

  constructor(kind: "oversize" | "invalid", message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConfigRefused";
    this.kind = kind;
  }
}

/** Status answers served from the cache spare the backend; a second is too short to look stale. */
const statusCache = { fresh_ms: 1_000, stale_ms: 10_000 } as const;

/**
 * A shield's configuration as JSON text, for each schema version an edge may announce. Null for a
 * deleted shield: its edges are told to remove it.
 *
 * @throws ConfigRefused where an edge would refuse it too
 */
export function compileShield(rows: ShieldRows, options: CompileOptions): CompiledConfigs | null {
  const { shield, firewall, entries, names } = rows;
  if (shield.status === "deleted") return null;
  const plan = entitlements(shield);
  const messages = plan.customization ? rows.messages : ownMessages;
  const versions = compileVersions(rows.mitigation);
  const compiled: ShieldConfig = {
    schema: 7,
    shield_id: shield.id,
    revision: options.revision,
    status:
      shield.status === "active" && shield.traffic_used_up ? "traffic_used_up" : shield.status,
    label: shield.cname_record,
    domains: rows.domains
      .filter(({ verified_at }) => verified_at !== null || options.allowUnproven)
      .map(({ name, verified_at, created_at, group_id }) => ({
        name,
        proven: verified_at !== null,
        claimed_at: created_at.toISOString(),
        group_id,
      })),
    groups: rows.groups.map((group) => ({
      id: group.id,
      name: group.name,
      default: group.is_default,
      game: group.game,
      location: group.region === everyRegion ? null : group.region,
      port: group.port,
      balancing: group.balancing,
      proxy_protocol: group.proxy_protocol,
      backends: rows.backends
        .filter(({ group_id }) => group_id === group.id)
        .map((backend) => compileBackend(backend, group.game, { ...options, plan })),
    })),
    shares: plan.shares,
    bedrock: compileBedrock(rows.bedrock, plan),
    lists: {
      blacklist_enabled: firewall.blacklist_enabled,
      whitelist_enabled: firewall.whitelist_enabled,
      whitelist_only: firewall.whitelist_only,
      blacklist: [...(entries.blacklist ?? [])],
      whitelist: [...(entries.whitelist ?? [])],
      blacklist_names: lowerCase(names.blacklist),
      whitelist_names: lowerCase(names.whitelist),
      expires: endsByKey(rows.ends),
    },
    versions,
    mitigation: compileMitigation(rows.mitigation, plan, {
      cookieKey: options.cookieKey,
      tryAddress: rows.tryAddress,
      networkRules: rows.networkRules,
    }),
    messages: compileMessages(messages, versions, options.discordInviteUrl),
    offline_icon: offlineIcon(messages),
    status_cache: {
      enabled: rows.caching.enabled && plan.caching,
      ...statusCache,
      purge: rows.caching.purges,
    },
  };
  return encodeConfig(compiled);
}

/** Without Bedrock in the plan, the ports stay the shield's, and no edge opens them. */
function compileBedrock(
  { enabled, ports }: ShieldRows["bedrock"],
  plan: Entitlements,
): ShieldConfig["bedrock"] {
  if (!enabled || !plan.bedrock) return { ports: [], only_in: [] };
  return {
    ports: ports.map(({ port }) => port),
    only_in: ports.flatMap(({ port, locations }) =>
      locations === null ? [] : [{ port, locations: [...locations] }],
    ),
  };
}

/** Addresses have no capital letters, so that names are all that changes. */
function endsByKey(ends: ShieldRows["ends"]): ShieldConfig["lists"]["expires"] {
  return Object.fromEntries(
    listTypes.flatMap((list) =>
      (ends[list] ?? []).map(([entry, endMs]) => [endKey(list, entry.toLowerCase()), endMs]),
    ),
  );
}

function lowerCase(names: readonly string[] = []): string[] {
  return names.map((name) => name.toLowerCase());
}

/**
 * An edge asks every address of a name whether it is Minecraft. For games that are not parsed it
 * cannot, so it gets the address that the owner has proved in place of the name.
 */
function compileBackend(
  { id, host, port, bedrock_port, bedrock_proxy, ...proof }: ShieldRows["backends"][number],
  game: BackendGroupConfig["game"],
  { allowUnproven, plan }: CompileOptions & { readonly plan: Entitlements },
): BackendGroupConfig["backends"][number] {
  const isOwned = isProven(proof, game);
  const isPinned = game === "other" && isOwned;
  const bedrockPort = game === "minecraft" && plan.bedrock ? bedrock_port : null;
  return {
    id,
    host: (isPinned ? proof.proof_address : null) ?? host,
    port,
    proven: isOwned || (game === "other" && allowUnproven),
    bedrock_port: bedrockPort,
    bedrock_proxy: bedrockPort === null ? "off" : bedrock_proxy,
  };
}

/** @throws ConfigRefused where an edge would refuse it */
export function encodeConfig(config: ShieldConfig): CompiledConfigs {
  return { 7: encode(shieldConfig, config), 6: encode(shieldConfig6, toSchema6(config)) };
}

function encode(schema: z.ZodType, compiled: ShieldConfig | ShieldConfig6): string {
  const checked = schema.safeParse(compiled);
  if (!checked.success) {
    throw new ConfigRejected("invalid", "compiled configuration breaks its own schema", {
      cause: checked.error,
    });
  }
  const text = JSON.stringify(checked.data);
  const bytes = Buffer.byteLength(text);
  if (bytes > shieldConfigBytesMax) {
    throw new ConfigRejected("oversize", `${bytes} bytes exceed ${shieldConfigBytesMax}`);
  }
  return text;
}
