import type { EntryKind } from "@palisade/contract/http/firewall";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { csvHeaders } from "#src/platform/http/csv.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { addEntry, changeEntry, removeEntry } from "./firewall-entries.service.ts";
import { clearList, exportList, importEntries } from "./firewall-lists.service.ts";
import { getFirewall, updateFirewall } from "./firewall.service.ts";

export function mountFirewallRoutes(
  mount: Mount,
  deps: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  const { db, writes } = deps;
  mount(routes.firewall.getFirewall, async (ctx, { params }) => {
    const { ip, now } = ctx;
    const { firewall, etag } = await getFirewall(db, { shieldId: params.id, ip, now });
    return { body: firewall, headers: { etag } };
  });
  mount(routes.firewall.updateFirewall, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { ip, ifMatch, now } = ctx;
      const request = { shieldId: params.id, ip, ifMatch, now };
      const { firewall, revision, etag } = await updateFirewall(writes, trx, request, body);
      const message = ctx.text("ok.firewall_updated");
      return { body: { message, revision, firewall }, headers: { etag } };
    }),
  );
  mount(routes.firewall.addFirewallEntry, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, ip: ctx.ip, now: ctx.now };
      const { entry, revision, etag } = await addEntry(writes, trx, request, body);
      const message = entryText(ctx, "added", entry.kind, entry.ip);
      return { body: { message, revision, entry }, headers: { etag } };
    }),
  );
  mount(routes.firewall.updateFirewallEntry, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { ip, now } = ctx;
      const request = { shieldId: params.id, ip, now, entryId: params.ipId };
      const { entry, revision, etag } = await changeEntry(writes, trx, request, body);
      const message = ctx.text("ok.firewall_entry_changed", { entry: entry.ip });
      return { body: { message, revision, entry }, headers: { etag } };
    }),
  );
  mount(routes.firewall.removeFirewallEntry, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const removed = await removeEntry(
        writes,
        trx,
        { shieldId: params.id, ip: ctx.ip, now: ctx.now },
        params.ipId,
      );
      const message = entryText(ctx, "removed", removed.entry.kind, removed.entry.value);
      return {
        body: { message, revision: removed.revision },
        headers: { etag: removed.etag },
      };
    }),
  );
  mountListRoutes(mount, deps);
}

function entryText(
  ctx: Pick<RequestContext, "text">,
  done: "added" | "removed",
  kind: EntryKind,
  value: string,
): string {
  return kind === "name"
    ? ctx.text(`ok.firewall_name_${done}`, { name: value })
    : ctx.text(`ok.firewall_entry_${done}`, { ip: value });
}

function mountListRoutes(
  mount: Mount,
  { db, writes }: { readonly db: Db; readonly writes: ShieldWrites },
): void {
  mount(routes.firewall.importFirewall, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, ip: ctx.ip, now: ctx.now };
      const { report, revision, etag } = await importEntries(writes, trx, request, body);
      const { added, existing, invalid } = report;
      const message = ctx.text("ok.firewall_imported", { added, existing, invalid });
      return { body: { message, revision, report }, headers: { etag } };
    }),
  );
  mount(routes.firewall.exportFirewall, async (ctx, { params, query }) => ({
    body: await exportList(db, params.id, query.type, ctx.now),
    headers: csvHeaders(`${query.type}.csv`),
  }));
  mount(routes.firewall.clearFirewallList, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const { revision, etag } = await clearList(
        writes,
        trx,
        { shieldId: params.id, ip: ctx.ip, now: ctx.now },
        params.type,
      );
      const message = ctx.text("ok.firewall_cleared", { type: params.type });
      return { body: { message, revision }, headers: { etag } };
    }),
  );
}
