import { listTypes, type ListType } from "@palisade/contract/http/firewall-entry";
import type { SettingArea } from "@palisade/contract/http/history";
import { updateMitigationBody } from "@palisade/contract/http/mitigation";
import {
  updateServerMessagesBody,
  noServerMessages,
} from "@palisade/contract/http/server-messages";
import { serverName } from "@palisade/contract/http/servers";
import type { Locale } from "@palisade/contract/texts/render";
import { z } from "zod";
import { listBackends } from "#src/features/backends/backend-groups.service.ts";
import type { BedrockPorts } from "#src/features/bedrock/bedrock-ports.service.ts";
import { updateBedrock } from "#src/features/bedrock/bedrock.service.ts";
import { updateCaching } from "#src/features/caching/caching.service.ts";
import { changeDomain, domainIdOf } from "#src/features/domains/shield-domains.service.ts";
import { clearList, importEntries } from "#src/features/firewall/firewall-lists.service.ts";
import { updateFirewall } from "#src/features/firewall/firewall.service.ts";
import { updateMitigation } from "#src/features/mitigation/mitigation.service.ts";
import { restoreRules } from "#src/features/network-rules/network-rules.service.ts";
import { changeRegion } from "#src/features/regions/regions.service.ts";
import type {
  AreaSettings,
  RecordedChange,
  SettingValue,
} from "#src/features/shield-history/shield-history.service.ts";
import { changeMessages } from "#src/features/shield-messages/shield-messages.service.ts";
import { renameShield } from "#src/features/shields/shield-life.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { byTodaysRules } from "./todays-rules.ts";
import { restoreGroups, type GroupRestoreDeps } from "./restore-groups.ts";

export interface RestoreCaller {
  readonly shieldId: string;
  readonly userId: string;
  readonly now: Date;
  readonly locale: Locale;
  readonly ip: string;
}

export type RestoreDeps = GroupRestoreDeps & { readonly bedrockPorts: BedrockPorts };

/** Makes the changed settings of one area what they are in `to`, by the area's own service. */
type Restorer = (trx: Trx, changes: readonly RecordedChange[], to: AreaSettings) => Promise<void>;

export function createRestorers(
  deps: RestoreDeps,
  caller: RestoreCaller,
): Readonly<Record<SettingArea, Restorer>> {
  const { writes } = deps;
  const request = { ...caller, ifMatch: undefined };
  return {
    async general(trx, _, { name }) {
      await renameShield({ writes }, trx, caller, {
        ...caller,
        name: byTodaysRules(serverName, name),
      });
    },
    backends: (trx, changes, to) => restoreGroups(deps, trx, request, { changes, to }),
    async domains(trx, changes, to) {
      for (const change of changes) {
        if (change.field !== "region") await restoreDomain(trx, change);
        else {
          const region = byTodaysRules(z.string(), to["region"]);
          await changeRegion(writes, trx, request, region);
        }
      }
    },
    async mitigation(trx, changes, to) {
      const fields = changes.map(({ field }) => field);
      const { minecraft_version_min: min, minecraft_version_max: max } = to;
      const versions = fields.some((field) => field.startsWith("minecraft_version_m"))
        ? { minecraft_versions: { min, max } }
        : {};
      const body = byTodaysRules(updateMitigationBody, { ...pick(to, fields), ...versions });
      await updateMitigation(writes, trx, request, body);
    },
    async caching(trx, _, to) {
      await updateCaching(writes, trx, request, to["caching_enabled"] === true);
    },
    async bedrock(trx, changes, to) {
      // A deleted port may belong to another shield, so ports come and go only on their own page.
      if (changes.some(({ field }) => field === "bedrock_ports")) {
        throw new DomainError("port_taken", { text: "restore.port" });
      }
      await updateBedrock(
        { writes, ports: deps.bedrockPorts },
        trx,
        request,
        to["bedrock_enabled"] === true,
      );
    },
    async messages(trx, changes, to) {
      await changeMessages(writes, trx, request, messagesBody(changes, to));
    },
    async firewall(trx, changes, to) {
      const changed = new Set(changes.map(({ field }) => field));
      for (const type of listTypes) {
        const fields = [type, `${type}_notes`, `${type}_ends`];
        // Each is taken from the set: what is left are switches.
        if (fields.filter((field) => changed.delete(field)).length === 0) continue;
        const entries = entriesIn(to, type);
        if (entries.some(({ expires_at: end }) => end === null || Date.parse(end) > +caller.now)) {
          await importEntries(writes, trx, request, { type, mode: "replace", entries });
        } else await clearList(writes, trx, request, type);
      }
      if (changed.delete("network_rules")) {
        const rules = to["network_rules"];
        await restoreRules(writes, trx, caller, Array.isArray(rules) ? rules.map(String) : []);
      }
      for (const field of changed) {
        await updateFirewall(writes, trx, request, { [field]: to[field] === true });
      }
    },
  };

  /** A domain has to be proven, so it comes and goes only on its own page. */
  async function restoreDomain(trx: Trx, { id, before, after }: RecordedChange): Promise<void> {
    const name = id ?? "";
    if (before === null || after === null) {
      throw new DomainError("server_not_active", { text: "restore.domain" });
    }
    const domainId = await domainIdOf(trx, caller.shieldId, name);
    const { backends } = await listBackends(trx, caller);
    const group_id = backends.find((group) => group.name === after)?.id ?? null;
    await changeDomain(writes, trx, { shieldId: caller.shieldId, domainId }, { group_id });
  }
}

/** The entries of a list with their notes and ends, as they were then. */
function entriesIn(settings: AreaSettings, list: ListType) {
  const notes = new Map(wordsOf(settings[`${list}_notes`]));
  const ends = new Map(wordsOf(settings[`${list}_ends`]));
  const listed = settings[list];
  return (Array.isArray(listed) ? listed.map(String) : []).map((ip) => ({
    ip,
    note: notes.get(ip) ?? "",
    expires_at: ends.get(ip) ?? null,
  }));
}

/** Each is an entry, a blank and words about it. */
function wordsOf(value: SettingValue | undefined): (readonly [entry: string, words: string])[] {
  return (Array.isArray(value) ? value.map(String) : []).map((line) => {
    const blank = line.indexOf(" ");
    return [line.slice(0, blank), line.slice(blank + 1)];
  });
}

/** Texts that were not written then are not written again: the product's own take their place. */
function messagesBody(
  changes: readonly RecordedChange[],
  to: AreaSettings,
): z.output<typeof updateServerMessagesBody> {
  const groups = Object.entries(noServerMessages).map(([group, texts]) => {
    const fields = changes.map(({ field }) => field).filter((field) => field in texts);
    const values = fields.map((field) => [
      field,
      to[field] ?? (field === "offline_image" ? null : ""),
    ]);
    return [group, Object.fromEntries(values)] as const;
  });
  return byTodaysRules(updateServerMessagesBody, Object.fromEntries(groups));
}

function pick(settings: AreaSettings, fields: readonly string[]): AreaSettings {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = settings[field];
      return value === undefined || field.startsWith("minecraft_version_m") ? [] : [[field, value]];
    }),
  );
}
