import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { anyShieldConfig } from "@palisade/contract/edge/earlier-shield-config";
import { z } from "zod";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import type { ConfigurationRows } from "./configuration.repository.ts";

export interface Rollback {
  readonly config: ShieldConfig;
  /** Parts of the earlier content that the shield no longer owns, in words. */
  readonly leftOut: readonly string[];
}

type GroupConfig = ShieldConfig["groups"][number];
type BackendConfig = GroupConfig["backends"][number];

const version2 = z.object({ schema: z.literal(2) });

/** An earlier revision as stored. One in schema 2 takes the mitigation of today, which it lacks. */
export function readRevision(stored: unknown, compiled: ShieldConfig): ShieldConfig {
  const then = anyShieldConfig.parse(stored);
  return version2.safeParse(stored).success ? { ...then, mitigation: compiled.mitigation } : then;
}

/**
 * The content of an earlier revision as it may be served today. Status, proven names, ports and
 * the limits of the plan are those of today; everything else is from the earlier revision.
 */
export function earlierContent(
  then: ShieldConfig,
  now: { readonly rows: ConfigurationRows; readonly compiled: ShieldConfig },
): Rollback {
  const { rows, compiled } = now;
  const plan = entitlements(rows.shield);
  const isOwnPort = ({ id, port }: ShieldConfig["groups"][number]) =>
    port === null || rows.groups.some((group) => group.id === id && group.port === port);
  const groupsMax = Math.max(plan.backendGroupsMax, compiled.groups.length);
  // The default group is the last to go.
  const kept = new Set(
    then.groups
      .filter(isOwnPort)
      .toSorted((a, b) => Number(b.default) - Number(a.default))
      .slice(0, groupsMax),
  );
  const groups = then.groups
    .filter((group) => kept.has(group))
    .map((group) => ({
      ...group,
      location:
        group.location !== null && plan.allowsLocation(group.location) ? group.location : null,
      backends: group.backends.map((backend) => ({
        ...withProofOfToday(backend, group.game, now),
        bedrock_port: plan.bedrock ? backend.bedrock_port : null,
      })),
    }));
  const served = new Map(compiled.domains.map((domain) => [domain.name, domain]));
  const domains = then.domains.flatMap(({ name, group_id }) => {
    const domain = served.get(name);
    if (domain === undefined) return [];
    const isThere = groups.some(({ id }) => id === group_id);
    return [{ ...domain, group_id: isThere ? group_id : null }];
  });
  const { status_cache, mitigation } = then;
  const { messages, offline_icon } = plan.customization ? then : compiled;
  return {
    config: {
      ...then,
      revision: compiled.revision,
      status: compiled.status,
      label: compiled.label,
      shares: compiled.shares,
      bedrock: compiled.bedrock,
      domains,
      groups,
      messages,
      offline_icon,
      status_cache: {
        ...status_cache,
        enabled: status_cache.enabled && compiled.status_cache.enabled,
        // A later purge stays, or edges would answer with the purged status.
        purge: Math.max(status_cache.purge, compiled.status_cache.purge),
      },
      mitigation: {
        ...mitigation,
        antibot: plan.antibotWithin(mitigation.antibot),
        anti_vpn: mitigation.anti_vpn && plan.antiVpn,
        // The earlier key may be known to others.
        cookie_key: compiled.mitigation.cookie_key,
      },
    },
    leftOut: [
      ...then.domains.filter(({ name }) => !served.has(name)).map(({ name }) => `domain ${name}`),
      ...then.groups
        .filter((group) => !isOwnPort(group))
        .map(({ name, port }) => `group ${name} on port ${port}`),
      ...then.groups
        .filter((group) => isOwnPort(group) && !kept.has(group))
        .map(({ name }) => `group ${name}, for which the plan has no place`),
    ],
  };
}

/**
 * A proof counts in groups of its game alone. Behind another game the address that is proved today
 * stands in place of the name that the earlier revision has.
 */
function withProofOfToday(
  backend: BackendConfig,
  game: GroupConfig["game"],
  { rows, compiled }: { readonly rows: ConfigurationRows; readonly compiled: ShieldConfig },
): BackendConfig {
  const proved = compiled.groups
    .filter((group) => group.game === game)
    .flatMap(({ backends }) => backends)
    .find(
      ({ id, host, port, proven }) =>
        proven &&
        port === backend.port &&
        (host === backend.host ||
          rows.backends.find((row) => row.id === id)?.host === backend.host),
    );
  return { ...backend, host: proved?.host ?? backend.host, proven: proved !== undefined };
}
