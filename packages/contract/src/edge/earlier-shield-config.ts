import { z } from "zod";
import {
  listsConfig,
  shieldConfig,
  type MitigationConfig,
  type ShieldConfig,
} from "./shield-config.ts";

/** Schema version 4: lists of addresses alone. */
export const shieldConfig4 = shieldConfig.extend({
  schema: z.literal(4),
  lists: listsConfig.omit({ blacklist_names: true, whitelist_names: true }),
});

export type ShieldConfig4 = z.infer<typeof shieldConfig4>;

const group = shieldConfig4.shape.groups.element;
const backend = group.shape.backends.element;

/** Schema version 3: backends without proof, shields without shares of an edge. */
const shieldConfig3 = shieldConfig4.omit({ shares: true }).extend({
  schema: z.literal(3),
  status: z.enum(["active", "expired", "blocked"]),
  groups: z
    .array(group.extend({ backends: z.array(backend.omit({ proven: true })).max(64) }))
    .min(1)
    .max(64),
});

type ShieldConfig3 = z.infer<typeof shieldConfig3>;

/** Schema version 2: nothing is asked of players but their version and address. */
const shieldConfig2 = shieldConfig3.omit({ mitigation: true }).extend({ schema: z.literal(2) });

const fromVersion2 = shieldConfig2.transform((config): ShieldConfig3 => ({
  ...config,
  schema: 3,
  mitigation: noMitigation,
}));

/**
 * The part of a configuration that an edge with only version 4 understands. It knows no names: it
 * refuses none of them, and in maintenance mode it lets in addresses alone.
 */
export function toSchema4(config: ShieldConfig): ShieldConfig4 {
  const { blacklist_names: _blocked, whitelist_names: _allowed, ...lists } = config.lists;
  return { ...config, schema: 4, lists };
}

function fromSchema4(config: ShieldConfig4): ShieldConfig {
  const lists = { ...config.lists, blacklist_names: [], whitelist_names: [] };
  return { ...config, schema: 5, lists };
}

/**
 * A record of version 3 as version 4 says it. Its backends had players already, which an upgrade
 * does not take away.
 */
function fromSchema3(config: ShieldConfig3): ShieldConfig4 {
  const groups = config.groups.map((of) => ({
    ...of,
    backends: of.backends.map((each) => ({ ...each, proven: true })),
  }));
  return { ...config, schema: 4, groups, shares: noShares };
}

const noShares: ShieldConfig["shares"] = {
  players: null,
  half_open_logins: null,
  bytes_per_second: null,
};

const noMitigation: MitigationConfig = {
  shadow: false,
  logins_per_second: null,
  rejoin_cooldown_ms: null,
  packet_bytes_max: null,
  antibot: "disabled",
  advanced_antibot: false,
  attack_threshold: null,
  attack_duration_ms: 900_000,
  secure_profiles: false,
  anti_vpn: false,
  anti_forge: false,
  cookie_key: null,
};

const version4 = shieldConfig4.transform(fromSchema4);
const version3 = shieldConfig3.transform((config) => fromSchema4(fromSchema3(config)));
const version2 = fromVersion2.transform((config) => fromSchema4(fromSchema3(config)));

const earlierVersions = { 2: version2, 3: version3, 4: version4 };
const earlierVersion = z.object({ schema: z.literal([2, 3, 4]) });

/** A configuration of this version or an earlier one, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const earlier = earlierVersion.safeParse(config);
  if (!earlier.success) return config;
  const read = earlierVersions[earlier.data.schema].safeParse(config);
  return read.success ? read.data : config;
}, shieldConfig);
