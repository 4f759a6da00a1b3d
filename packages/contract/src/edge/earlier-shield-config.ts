import { z } from "zod";
import {
  listsConfig,
  mitigationConfig,
  shieldConfig,
  type MitigationConfig,
  type ShieldConfig,
} from "./shield-config.ts";

const newestGroup = shieldConfig.shape.groups.element;

/** Schema version 6: entries without an end, no rules for countries and networks, one world of challenges. */
export const shieldConfig6 = shieldConfig.extend({
  schema: z.literal(6),
  lists: listsConfig.omit({ expires: true }),
  mitigation: mitigationConfig.omit({
    network_rules: true,
    verified_ms: true,
    unknown_versions: true,
    text_captcha: true,
    try_label: true,
    try_challenge: true,
    try_until: true,
  }),
});

export type ShieldConfig6 = z.infer<typeof shieldConfig6>;

/** Schema version 5: nothing of Bedrock. */
const shieldConfig5 = shieldConfig6.omit({ bedrock: true }).extend({
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

type ShieldConfig5 = z.infer<typeof shieldConfig5>;

/** Schema version 4: lists of addresses alone. */
const shieldConfig4 = shieldConfig5.extend({
  schema: z.literal(4),
  lists: shieldConfig5.shape.lists.omit({ blacklist_names: true, whitelist_names: true }),
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

/** The part of a configuration that an edge with only version 6 understands. */
export function toSchema6({ lists, mitigation, ...config }: ShieldConfig): ShieldConfig6 {
  const { expires: _expires, ...entries } = lists;
  const {
    network_rules: _rules,
    verified_ms: _known,
    unknown_versions: _versions,
    text_captcha: _text,
    try_label: _label,
    try_challenge: _challenge,
    try_until: _until,
    ...asked
  } = mitigation;
  return { ...config, schema: 6, lists: entries, mitigation: asked };
}

function fromSchema6(config: ShieldConfig6): ShieldConfig {
  return {
    ...config,
    schema: 7,
    lists: { ...config.lists, expires: {} },
    mitigation: { ...config.mitigation, ...usualChallenges },
  };
}

/** As edges did before the owner could choose. */
export const usualChallenges = {
  network_rules: { countries: [], networks: [] },
  verified_ms: 5 * 86_400_000,
  unknown_versions: "nearest",
  text_captcha: false,
  try_label: null,
  try_challenge: "level",
  try_until: 0,
} satisfies Partial<MitigationConfig>;

function fromSchema5(config: ShieldConfig5): ShieldConfig6 {
  const groups = config.groups.map((group) => ({
    ...group,
    backends: group.backends.map((each) => ({ ...each, ...withoutBedrock })),
  }));
  return { ...config, schema: 6, groups, bedrock: { ports: [], only_in: [] } };
}

const withoutBedrock = { bedrock_port: null, bedrock_proxy: "off" } as const;

function fromSchema4(config: ShieldConfig4): ShieldConfig6 {
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

const noMitigation: ShieldConfig6["mitigation"] = {
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

const version6 = shieldConfig6.transform(fromSchema6);
const version5 = shieldConfig5.transform((config) => fromSchema6(fromSchema5(config)));
const version4 = shieldConfig4.transform((config) => fromSchema6(fromSchema4(config)));
const version3 = shieldConfig3.transform((config) => fromSchema6(fromSchema4(fromSchema3(config))));
const version2 = fromVersion2.transform((config) => fromSchema6(fromSchema4(fromSchema3(config))));

const earlierVersions = { 2: version2, 3: version3, 4: version4, 5: version5, 6: version6 };
const earlierVersion = z.object({ schema: z.literal([2, 3, 4, 5, 6]) });

/** A configuration of this version or an earlier one, as the newest says it. */
export const anyShieldConfig = z.preprocess((config) => {
  const earlier = earlierVersion.safeParse(config);
  if (!earlier.success) return config;
  const read = earlierVersions[earlier.data.schema].safeParse(config);
  return read.success ? read.data : config;
}, shieldConfig);
