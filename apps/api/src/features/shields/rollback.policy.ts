import { shieldConfig, type ShieldConfig } from "@palisade/contract/edge/shield-config";
import { fromSchema1, shieldConfig1 } from "@palisade/contract/edge/shield-config-1";
import type { ConfigurationRows } from "./configuration.repository.ts";

export interface Rollback {
  readonly config: ShieldConfig;
  /** What of the earlier content is not the shield's any more, in words. */
  readonly leftOut: readonly string[];
}

/** An earlier revision as stored, in version 1 perhaps: what that could not say is of today. */
export function readRevision(stored: unknown, compiled: ShieldConfig): ShieldConfig {
  const before = shieldConfig1.safeParse(stored);
  if (!before.success) return shieldConfig.parse(stored);
  const raised = fromSchema1(before.data);
  const locations = new Map(compiled.groups.map(({ id, location }) => [id, location]));
  const groupIds = new Map(compiled.domains.map(({ name, group_id }) => [name, group_id]));
  return {
    ...raised,
    domains: raised.domains.map((domain) => ({
      ...domain,
      group_id: groupIds.get(domain.name) ?? null,
    })),
    groups: raised.groups.map((group) => ({
      ...group,
      location: locations.get(group.id) ?? null,
    })),
    versions: compiled.versions,
    messages: { ...compiled.messages, ...before.data.messages },
    offline_icon: compiled.offline_icon,
    status_cache: compiled.status_cache,
  };
}

/**
 * The content of an earlier revision as it may be served today. What a shield is and what it
 * shares with others is of today: whether it is paid for, which names are proven, whose a port
 * is, what the plan includes. Everything else is of then.
 */
export function contentOfThen(
  then: ShieldConfig,
  now: { readonly rows: ConfigurationRows; readonly compiled: ShieldConfig },
): Rollback {
  const { rows, compiled } = now;
  const isOwnPort = ({ id, port }: ShieldConfig["groups"][number]) =>
    port === null || rows.groups.some((group) => group.id === id && group.port === port);
  const groups = then.groups.filter(isOwnPort);
  const served = new Map(compiled.domains.map((domain) => [domain.name, domain]));
  const domains = then.domains.flatMap(({ name, group_id }) => {
    const domain = served.get(name);
    if (domain === undefined) return [];
    const isThere = groups.some(({ id }) => id === group_id);
    return [{ ...domain, group_id: isThere ? group_id : null }];
  });
  const { status_cache } = then;
  return {
    config: {
      ...then,
      revision: compiled.revision,
      status: compiled.status,
      label: compiled.label,
      domains,
      groups,
      status_cache: {
        ...status_cache,
        enabled: status_cache.enabled && compiled.status_cache.enabled,
        // A purge of meanwhile is not taken back: edges would answer with what it threw away.
        purge: Math.max(status_cache.purge, compiled.status_cache.purge),
      },
    },
    leftOut: [
      ...then.domains.filter(({ name }) => !served.has(name)).map(({ name }) => `domain ${name}`),
      ...then.groups
        .filter((group) => !isOwnPort(group))
        .map(({ name, port }) => `group ${name} on port ${port}`),
    ],
  };
}
