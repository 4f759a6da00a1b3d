import { routes } from "@palisade/contract/http/routes";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { addRule, type DatabasesKnown, listRules, removeRule } from "./network-rules.service.ts";

export interface NetworkRuleRoutesDeps {
  readonly db: Db;
  readonly writes: ShieldWrites;
  readonly places: DatabasesKnown;
}

export function mountNetworkRuleRoutes(
  mount: Mount,
  { db, writes, places }: NetworkRuleRoutesDeps,
): void {
  const { listNetworkRules, addNetworkRule, removeNetworkRule } = routes.networkRules;
  mount(listNetworkRules, async ({ now }, { params }) => ({
    body: await listRules(db, { shieldId: params.id, now }, places),
  }));
  mount(addNetworkRule, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now };
      const { rule, revision } = await addRule(writes, trx, request, body);
      const message = ctx.text("ok.network_rule_added", { subject: subjectOf(rule) });
      return { body: { message, revision, rule } };
    }),
  );
  mount(removeNetworkRule, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const { rule, revision } = await removeRule(writes, trx, params.id, params.ruleId);
      const message = ctx.text("ok.network_rule_removed", { subject: subjectOf(rule) });
      return { body: { message, revision } };
    }),
  );
}

/** As people write it. */
function subjectOf(rule: {
  readonly country: string | null;
  readonly asn: number | string | null;
}): string {
  return rule.country ?? `AS${rule.asn}`;
}
