import { routes } from "@palisade/contract/http/routes";
import { tidyLine } from "@palisade/contract/http/tidy-line";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  acceptQuarantined,
  discardQuarantined,
  listQuarantine,
  readQuarantined,
  type QuarantineDeps,
} from "./quarantine.service.ts";

const { staffMails } = routes;

export function mountQuarantineRoutes(mount: Mount, deps: QuarantineDeps): void {
  mount(staffMails.listQuarantinedMails, async (_, { query }) => ({
    body: await listQuarantine(deps.db, query),
  }));

  mount(staffMails.readQuarantinedMail, async (_, { params }) => ({
    body: { mail: await readQuarantined(deps, params.mailId) },
  }));

  mount(staffMails.acceptQuarantinedMail, async (ctx, { params }) => {
    const refused = await acceptQuarantined(deps, {
      id: params.mailId,
      now: ctx.now,
      commit: (work) => unitOfWork(ctx, work),
    });
    const files = refused.map(tidyLine).join(", ");
    const message =
      refused.length === 0
        ? ctx.text("ok.mail_accepted")
        : ctx.text("ok.mail_accepted_without", { files });
    return { body: { message } };
  });

  mount(staffMails.discardQuarantinedMail, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      await discardQuarantined(trx, params.mailId);
      return { body: { message: ctx.text("ok.mail_discarded") } };
    }),
  );
}
