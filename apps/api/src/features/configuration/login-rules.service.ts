import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { MitigationSettings } from "@palisade/contract/http/mitigation";
import { type AddressSet, compileAddressSet } from "@palisade/login-rules/address-set";
import { mitigationRules } from "@palisade/login-rules/login-attempt";
import type { LoginRules } from "@palisade/login-rules/login-verdict";
import { versionRange } from "@palisade/minecraft-protocol/java/versions";
import type { Entitlements } from "#src/features/plans/entitlements.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { compileMitigation, compileVersions } from "./compile/compile-mitigation.ts";
import { selectLists, selectNetworkRules } from "./configuration.repository.ts";

/** The rules by which an edge would decide about a shield's logins. */
export interface EdgeRules {
  readonly rules: LoginRules;
  readonly config: MitigationConfig;
}

/**
 * Makes the rules of edges from any settings of the shield, with its lists as they are saved. The
 * shield counts as active, because a replay asks about its settings.
 */
export async function createEdgeRules(
  db: Executor,
  shieldId: string,
  plan: Entitlements,
): Promise<(settings: MitigationSettings) => EdgeRules> {
  const { firewall, entries, names } = await selectLists(db, shieldId);
  const networkRules = await selectNetworkRules(db, shieldId);
  const blacklist = setOf(entries.blacklist);
  const whitelist = setOf(entries.whitelist);
  const blacklistNames = namesOf(names.blacklist);
  const whitelistNames = namesOf(names.whitelist);
  const { blacklist_enabled, whitelist_enabled, whitelist_only } = firewall;
  return (settings) => {
    const config = compileMitigation(settings, plan, {
      cookieKey: "",
      tryAddress: undefined,
      networkRules,
    });
    const { min, max } = compileVersions(settings);
    const rules: LoginRules = {
      status: "active",
      // A name of which this version does not know keeps no player out.
      versions: versionRange(min, max, settings.unknown_versions) ?? { has: () => true },
      blacklist: blacklist_enabled ? blacklist : undefined,
      blacklistNames: blacklist_enabled ? blacklistNames : undefined,
      exclusive: whitelist_only ? whitelist : undefined,
      exclusiveNames: whitelist_only ? whitelistNames : undefined,
      mitigation: mitigationRules(shieldId, config, {
        trusted: whitelist_enabled ? whitelist : undefined,
        trustedNames: whitelist_enabled ? whitelistNames : undefined,
      }),
    };
    return { rules, config };
  };
}

function setOf(addresses: readonly string[] = []): AddressSet {
  const result = compileAddressSet(addresses);
  if (!result.ok) throw new Error(`a list has ${result.invalid}, which is no address`);
  return result.set;
}

/** In lower case, as edges get them. */
function namesOf(names: readonly string[] = []): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
