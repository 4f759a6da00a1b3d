import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import {
  type addNetworkRuleBody,
  type NetworkRule,
  type NetworkRuleList,
  networkRulesMax,
} from "@palisade/contract/http/network-rules";
import type { z } from "zod";
import { readRuleText, ruleText } from "#src/features/configuration/network-rule-text.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import {
  countRules,
  deleteRule,
  insertRule,
  selectNetworkNames,
  selectRules,
  type RuleRow,
} from "./network-rules.repository.ts";

export type DatabasesKnown = Pick<AddressDatabases, "hasCountries" | "hasNetworks">;

/** Names of networks come from logins of this time. */
const namesMs = 7 * 24 * 3_600_000;

interface ShieldRequest {
  readonly shieldId: string;
  readonly now: Date;
}

export async function listRules(
  db: Executor,
  { shieldId, now }: ShieldRequest,
  { hasCountries, hasNetworks }: DatabasesKnown,
): Promise<NetworkRuleList> {
  const rows = await selectRules(db, shieldId);
  const names = await namesOf(db, { shieldId, now }, rows);
  return {
    rules: rows.map((row) => presentRule(row, names)),
    databases: { countries: hasCountries, networks: hasNetworks },
  };
}

/**
 * @throws DomainError `entry_exists` where the country or network has a rule, `list_full` beyond the most
 *   that a shield may have
 */
export async function addRule(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, now }: ShieldRequest,
  body: z.output<typeof addNetworkRuleBody>,
): Promise<{ readonly rule: NetworkRule; readonly revision: number }> {
  const expires_at = body.expires_at === null ? null : new Date(body.expires_at);
  if (expires_at !== null && expires_at <= now) throw fieldError("expires_at", "time.past");
  // The shield's lock also keeps two requests from both taking the last place.
  await writes.lockActive(trx, shieldId);
  const row: RuleRow = {
    id: newId(),
    country: body.country ?? null,
    asn: body.asn === undefined ? null : String(body.asn),
    action: body.action,
    note: body.note,
    created_at: now,
    expires_at,
  };
  const path = body.country === undefined ? "asn" : "country";
  if (!(await insertRule(trx, shieldId, row))) {
    throw new DomainError("entry_exists", { issues: [{ path, code: "error.rule_exists" }] });
  }
  if ((await countRules(trx, shieldId)) > networkRulesMax) {
    throw new DomainError("list_full", { issues: [{ path, code: "error.rules_full" }] });
  }
  const names = await namesOf(trx, { shieldId, now }, [row]);
  const { revision } = await writes.commit(trx, shieldId);
  return { rule: presentRule(row, names), revision };
}

export async function removeRule(
  writes: ShieldWrites,
  trx: Trx,
  shieldId: string,
  ruleId: string,
): Promise<{ readonly rule: RuleRow; readonly revision: number }> {
  await writes.lockActive(trx, shieldId);
  const rule = await deleteRule(trx, shieldId, ruleId);
  if (rule === undefined) throw new DomainError("not_found");
  const { revision } = await writes.commit(trx, shieldId);
  return { rule, revision };
}

/**
 * Makes the rules those of an earlier version of the settings. Rules that stay keep their notes; a rule
 * that has ended since does not come back.
 */
export async function restoreRules(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, now }: ShieldRequest,
  texts: readonly string[],
): Promise<void> {
  await writes.lockActive(trx, shieldId);
  const wanted = new Map(
    texts.flatMap((text) => {
      const rule = readRuleText(text);
      if (rule === undefined || (rule.expires_at !== null && rule.expires_at <= now)) return [];
      return [[ruleText(rule), rule]];
    }),
  );
  for (const row of await selectRules(trx, shieldId)) {
    if (!wanted.delete(ruleText(row))) await deleteRule(trx, shieldId, row.id);
  }
  for (const rule of [...wanted.values()].slice(0, networkRulesMax)) {
    await insertRule(trx, shieldId, { ...rule, id: newId(), note: "", created_at: now });
  }
  await writes.commit(trx, shieldId);
}

function namesOf(db: Executor, { shieldId, now }: ShieldRequest, rows: readonly RuleRow[]) {
  const asns = rows.flatMap(({ asn }) => asn ?? []);
  return selectNetworkNames(db, shieldId, { asns, since: new Date(now.getTime() - namesMs) });
}

function presentRule(row: RuleRow, names: ReadonlyMap<string, string>): NetworkRule {
  return {
    id: row.id,
    country: row.country,
    asn: row.asn === null ? null : Number(row.asn),
    network: row.asn === null ? null : (names.get(row.asn) ?? null),
    action: row.action,
    note: row.note,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
