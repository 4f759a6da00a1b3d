import type { MitigationConfig, ShieldConfig } from "@palisade/contract/edge/shield-config";
import { shieldOf, texts } from "../verification/shields.ts";

export const botLevels = ["low", "medium", "high", "extreme"] as const;
export type BotLevel = (typeof botLevels)[number];

export const rejoinText: string = texts.rejoin;

/** Attacked from the second login in a second on, and for as long as a soak takes. */
const attacked = { attack_threshold: 1, attack_duration_ms: 1_800_000 } as const;

export function hostnameOf(level: BotLevel): string {
  return `${level}.example.org`;
}

/**
 * A shield for each level. No player is transferred, so each has to join again by themselves; and the
 * owner gives the code of a captcha as text, because a bot that can read pictures is not part of this.
 */
export function shieldsOf(levels: readonly BotLevel[], port: number): ShieldConfig[] {
  return levels.map((level, at) => {
    const mitigation: Partial<MitigationConfig> = {
      antibot: level,
      cookie_key: null,
      text_captcha: true,
      ...(level === "medium" ? attacked : {}),
    };
    const servers = new Map([[hostnameOf(level), { port }]]);
    const shield = shieldOf({ n: at + 1, mitigation, servers });
    const groups = shield.groups.map((group) => ({ ...group, proxy_protocol: false }));
    return { ...shield, groups };
  });
}
