import { z } from "zod";
import {
  listsConfig,
  shieldConfig,
  type MitigationConfig,
  type ShieldConfig,
} from "./shield-config.ts";

const newestGroup = shieldConfig.shape.groups.element;

/** Schema version 5: nothing of Bedrock. */
export const shieldConfig5 = shieldConfig.omit({ bedrock: true }).extend({
  schema: z.literal(5),
  groups: z
    .array(
      newestGroup.extend({
        backends: z
          .array(
            newestGroup.shape.backends.element.omit({ bedrock_port: true, bedrock_proxy: true }),
          )
          .max(64),
      }),
    )
    .min(1)
    .max(64),
});

export type ShieldConfig5 = z.infer<typeof shieldConfig5>;

/** Schema version 4: lists of addresses alone. */
const shieldConfig4 = shieldConfig5.extend({
  schema: z.literal(4),
  lists: listsConfig.omit({ blacklist_names: true, whitelist_names: true }),
});

type ShieldConfig4 = z.infer<typeof shieldConfig4>;

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

/** The part of a configuration that an edge with only version 5 understands: it opens no ports for Bedrock. */
export function toSchema5({ bedrock: _bedrock, ...config }: ShieldConfig): ShieldConfig5 {
  const groups = config.groups.map((group) => ({
    ...group,
    backends: group.backends.map(({ bedrock_port: _port, bedrock_proxy: _proxy, ...rest }) => rest),
  }));
  return { ...config, schema: 5, groups };
}

function fromSchema5(config: ShieldConfig5): ShieldConfig {
  const groups = config.groups.map((group) => ({
    ...group,
    backends: group.backends.map((each) => ({ ...each, ...withoutBedrock })),
  }));
  return { ...config, schema: 6, groups, bedrock: { ports: [], only_in: [] } };
}

const withoutBedrock = { bedrock_port: null, bedrock_proxy: "off" } as const;

function fromSchema4(config: ShieldConfig4): ShieldConfig {
  const lists = { ...config.lists, blacklist_names: [], whitelist_names: [] };
  return fromSchema5({ ...config, schema: 5, lists });
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

const version5 = shieldConfig5.transform(fromSchema5);
const version4 = shieldConfig4.transform(fromSchema4);
const version3 = shieldConfig3.transform((config) => fromSchema4(fromSchema3(config)));
const version2 = fromVersion2.transform((config) => fromSchema4(fromSchema3(config)));

const earlierVersions = { 2: version2, 3: version3, 4: version4, 5: version5 };
const earlierVersion = z.object({ schema: z.literal([2, 3, 4, 5]) });

/** A configuration of this version or an earlier one, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const earlier = earlierVersion.safeParse(config);
  if (!earlier.success) return config;
  const read = earlierVersions[earlier.data.schema].safeParse(config);
  return read.success ? read.data : config;
}, shieldConfig);
