import { z } from "zod";
import { shieldConfig, type MitigationConfig, type ShieldConfig } from "./shield-config.ts";

/** Schema version 2: nothing is asked of players but their version and address. */
export const shieldConfig2 = shieldConfig
  .omit({ mitigation: true })
  .extend({ schema: z.literal(2) });

export type ShieldConfig2 = z.infer<typeof shieldConfig2>;

/** The part of a configuration that an edge with only version 2 understands. */
export function toSchema2(config: ShieldConfig): ShieldConfig2 {
  const { mitigation: _mitigation, ...kept } = config;
  return { ...kept, schema: 2 };
}

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

/** A record of version 2, from the disk of an edge that was upgraded, as version 3 says it. */
export function fromSchema2(config: ShieldConfig2): ShieldConfig {
  return { ...config, schema: 3, mitigation: noMitigation };
}

/** A configuration of either version, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const isBefore = z.object({ schema: z.literal(2) }).safeParse(config).success;
  if (!isBefore) return config;
  const before = shieldConfig2.safeParse(config);
  return before.success ? fromSchema2(before.data) : config;
}, shieldConfig);
