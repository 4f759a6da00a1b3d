import { routes } from "@palisade/contract/http/routes";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { readAttackPage, type AttackPageDeps } from "./attack-page.service.ts";
import { renderAttackPdf } from "./attack-pdf.ts";
import { listShares, readShared, revokeShare, shareAttack } from "./attack-shares.service.ts";
import { presentAttack } from "./attacks.presenter.ts";
import { selectAttacks } from "./attacks.repository.ts";

const attacksShown = 50;

export function mountAttacksRoutes(mount: Mount, deps: AttackPageDeps): void {
  const { db } = deps;
  mount(routes.attacks.listAttacks, async (_, { params, query }) => {
    const window = { before: readCursor(query.cursor), limit: attacksShown + 1 };
    const rows = await selectAttacks(db, params.id, window);
    const shown = rows.slice(0, attacksShown);
    const last = rows.length > attacksShown ? shown.at(-1) : undefined;
    const next = last === undefined ? null : writeCursor({ at: last.started_at, id: last.id });
    return { body: { data: shown.map(presentAttack), next_cursor: next } };
  });

  mount(routes.attacks.getAttack, async (ctx, { params }) => {
    const of = { shieldId: params.id, attackId: params.attackId, rights: ctx.shield.rights };
    return { body: { attack: (await readAttackPage(deps, of, ctx.now)).page } };
  });

  mount(routes.attacks.getAttackPdf, async (ctx, { params, query }) => {
    const of = { shieldId: params.id, attackId: params.attackId, rights: ctx.shield.rights };
    const { page, serverName } = await readAttackPage(deps, of, ctx.now);
    const name = `attack-${page.started_at.slice(0, 16).replaceAll(/[:T]/g, "-")}.pdf`;
    return {
      body: await renderAttackPdf(page, serverName, query.language ?? ctx.locale, ctx.now),
      headers: {
        "content-type": "application/pdf",
        "content-disposition": `attachment; filename="${name}"`,
      },
    };
  });

  mount(routes.attacks.listAttackShares, async (ctx, { params }) => {
    const of = { shieldId: params.id, attackId: params.attackId };
    return { body: { shares: await listShares(db, of, ctx.now) } };
  });

  mount(routes.attacks.shareAttack, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const of = { shieldId: params.id, attackId: params.attackId };
      const made = await shareAttack(trx, of, { days: body.days, now: ctx.now });
      return { body: { message: ctx.text("ok.attack_shared"), ...made } };
    }),
  );

  mount(routes.attacks.revokeAttackShare, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const { id: shieldId, attackId, shareId } = params;
      await revokeShare(trx, { shieldId, attackId, shareId });
      return { body: { message: ctx.text("ok.attack_share_ended") } };
    }),
  );

  mount(routes.attacks.readSharedAttack, async (ctx, { body }) => ({
    body: await readShared(db, body.token, ctx.now),
  }));
}
