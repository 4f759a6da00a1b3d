import {
  shieldConfig,
  shieldConfigBytesMax,
  type BackendGroupConfig,
  type ShieldConfig,
} from "@palisade/contract/edge/shield-config";
import { effectiveServerMessages } from "@palisade/contract/http/server-messages";
import type { ListType, ShieldStatus } from "#src/schema/shields.ts";

/** Everything a configuration is made from, as the tables hold it. */
export interface ShieldRows {
  readonly shield: {
    readonly id: string;
    readonly status: ShieldStatus;
    readonly cname_record: string;
  };
  readonly domains: readonly {
    readonly name: string;
    readonly created_at: Date;
    readonly verified_at: Date | null;
  }[];
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly balancing: BackendGroupConfig["balancing"];
    readonly proxy_protocol: boolean;
    readonly is_default: boolean;
  }[];
  readonly backends: readonly {
    readonly id: string;
    readonly group_id: string;
    readonly host: string;
    readonly port: number;
  }[];
  readonly firewall: {
    readonly blacklist_enabled: boolean;
    readonly whitelist_enabled: boolean;
    readonly whitelist_only: boolean;
  };
  readonly entries: readonly { readonly list: ListType; readonly address: string }[];
  readonly messages: {
    readonly version_info: string;
    readonly motd_line1: string;
    readonly motd_line2: string;
    readonly offline_kick_msg: string;
    readonly blacklist_msg: string;
    readonly whitelist_msg: string;
  };
}

export interface CompileOptions {
  readonly revision: number;
  /** Development routes domains before they are proven; production never does (decision 36). */
  readonly allowUnproven: boolean;
}

/** A configuration no edge would take; refused before it is committed. */
export class ConfigRefused extends Error {
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
 * A shield's configuration, schema version 1, as JSON text. Null for a deleted shield: its
 * edges are told to remove it.
 *
 * @throws ConfigRefused where an edge would refuse it too
 */
export function compileShield(rows: ShieldRows, options: CompileOptions): string | null {
  const { shield, firewall, entries, messages } = rows;
  if (shield.status === "deleted") return null;
  const compiled: ShieldConfig = {
    schema: 1,
    shield_id: shield.id,
    revision: options.revision,
    status: shield.status,
    label: shield.cname_record,
    domains: rows.domains
      .filter(({ verified_at }) => verified_at !== null || options.allowUnproven)
      .map(({ name, verified_at, created_at }) => ({
        name,
        proven: verified_at !== null,
        claimed_at: created_at.toISOString(),
      })),
    groups: rows.groups.map((group) => ({
      id: group.id,
      name: group.name,
      default: group.is_default,
      balancing: group.balancing,
      proxy_protocol: group.proxy_protocol,
      backends: rows.backends
        .filter(({ group_id }) => group_id === group.id)
        .map(({ id, host, port }) => ({ id, host, port })),
    })),
    lists: {
      blacklist_enabled: firewall.blacklist_enabled,
      whitelist_enabled: firewall.whitelist_enabled,
      whitelist_only: firewall.whitelist_only,
      blacklist: addressesOf(entries, "blacklist"),
      whitelist: addressesOf(entries, "whitelist"),
    },
    messages: compileMessages(messages),
    status_cache: statusCache,
  };
  return encode(compiled);
}

function encode(compiled: ShieldConfig): string {
  const checked = shieldConfig.safeParse(compiled);
  if (!checked.success) {
    throw new ConfigRefused("invalid", "compiled configuration breaks its own schema", {
      cause: checked.error,
    });
  }
  const text = JSON.stringify(checked.data);
  const bytes = Buffer.byteLength(text);
  if (bytes > shieldConfigBytesMax) {
    throw new ConfigRefused("oversize", `${bytes} bytes exceed ${shieldConfigBytesMax}`);
  }
  return text;
}

function addressesOf(entries: ShieldRows["entries"], list: ListType): string[] {
  return entries.filter((entry) => entry.list === list).map(({ address }) => address);
}

function compileMessages(stored: ShieldRows["messages"]): ShieldConfig["messages"] {
  const { offline, firewall } = effectiveServerMessages({
    offline: {
      version_info: oneLine(stored.version_info),
      motd_line1: oneLine(stored.motd_line1),
      motd_line2: oneLine(stored.motd_line2),
      offline_kick_msg: kickText(stored.offline_kick_msg),
    },
    firewall: {
      blacklist_msg: kickText(stored.blacklist_msg),
      whitelist_msg: kickText(stored.whitelist_msg),
    },
  });
  return {
    blacklist: firewall.blacklist_msg,
    whitelist: firewall.whitelist_msg,
    offline_kick: offline.offline_kick_msg,
    offline_version: offline.version_info,
    offline_motd: [offline.motd_line1, offline.motd_line2],
  };
}

/** `&` before a colour or format code of the game becomes `§`; any other `&` is a character. */
function kickText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/&([0-9a-fk-or])/gi, "§$1");
}

function oneLine(text: string): string {
  return kickText(text).replace(/\n+/g, " ");
}
