import { z } from "zod";
import { shieldConfig, type MitigationConfig, type ShieldConfig } from "./shield-config.ts";

const group = shieldConfig.shape.groups.element;
const backend = group.shape.backends.element;

/** Schema version 3: backends without proof, shields without shares of an edge. */
export const shieldConfig3 = shieldConfig.omit({ shares: true }).extend({
  schema: z.literal(3),
  status: z.enum(["active", "expired", "blocked"]),
  groups: z
    .array(group.extend({ backends: z.array(backend.omit({ proven: true })).max(64) }))
    .min(1)
    .max(64),
});

export type ShieldConfig3 = z.infer<typeof shieldConfig3>;

/** Schema version 2: nothing is asked of players but their version and address. */
const shieldConfig2 = shieldConfig3.omit({ mitigation: true }).extend({ schema: z.literal(2) });

const fromVersion2 = shieldConfig2.transform((config): ShieldConfig3 => ({
  ...config,
  schema: 3,
  mitigation: noMitigation,
}));

/** The part of a configuration that an edge with only version 3 understands. */
export function toSchema3(config: ShieldConfig): ShieldConfig3 {
  const { shares: _shares, ...kept } = config;
  const groups = config.groups.map((of) => ({
    ...of,
    // Such an edge asks no backend whether it is Minecraft, and would relay to all of them.
    backends: of.backends
      .filter(({ proven }) => proven || of.game === "minecraft")
      .map(({ id, host, port }) => ({ id, host, port })),
  }));
  // The word that comes nearest among those that such an edge knows.
  const status = config.status === "traffic_used_up" ? "expired" : config.status;
  return { ...kept, schema: 3, status, groups };
}

/**
 * A record of version 3 as version 4 says it. Its backends had players already, which an upgrade
 * does not take away.
 */
function fromSchema3(config: ShieldConfig3): ShieldConfig {
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

const earlierVersion = z.object({ schema: z.literal([2, 3]) });

/** A configuration of this version or an earlier one, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const earlier = earlierVersion.safeParse(config);
  if (!earlier.success) return config;
  const version3 =
    earlier.data.schema === 3 ? shieldConfig3.safeParse(config) : fromVersion2.safeParse(config);
  return version3.success ? fromSchema3(version3.data) : config;
}, shieldConfig);
