import type { Locale } from "@palisade/contract/texts/render";
import type { Trx } from "#src/platform/database/db.ts";
import type { RequestContext } from "#src/platform/http/pipeline/context.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Mailer, MailValues } from "#src/platform/mail/mailer.ts";
import { noticeMessage, type AccountNotice } from "./notice-texts.ts";
import { discordJobName } from "./discord.job.ts";
import { causeOf } from "#src/platform/mail/mail-details.ts";
import { selectLocale, selectWebhook } from "./account-notices.repository.ts";

export interface NoticeRecipient {
  readonly userId: string;
  readonly email: string;
  readonly locale: Locale;
}

/** The call that the notice is about. */
export type NoticeCause = Pick<RequestContext, "now" | "ip" | "device">;

/** Tells people what happened to their account, by mail and, where they gave one, in Discord. */
export interface AccountNotices {
  /**
   * About security: the mail is sent whatever the recipient's preferences, in the language of
   * their last login, and says where the call came from.
   */
  send(
    trx: Trx,
    cause: NoticeCause,
    to: Omit<NoticeRecipient, "locale">,
    notice: AccountNotice,
    values?: MailValues,
  ): Promise<void>;
  /** As `send`, about a change that the operator made. */
  sendFromOperator(trx: Trx, to: NoticeRecipient, notice: AccountNotice, now: Date): Promise<void>;
  /** About the product: no mail when the recipient has switched these off. */
  sendProduct(
    trx: Trx,
    to: NoticeRecipient & { readonly wantsMail: boolean },
    notice: AccountNotice,
    values?: MailValues,
  ): Promise<void>;
}

/** The notice of a new password, which also says what became of the API keys. */
export function passwordChangedNotice(keys: "none" | "kept" | "revoked"): AccountNotice {
  return keys === "none" ? "password-changed" : `password-changed-keys-${keys}`;
}

export function createAccountNotices(deps: {
  readonly mailer: Mailer;
  readonly jobs: Jobs;
}): AccountNotices {
  async function mail(trx: Trx, to: NoticeRecipient, notice: AccountNotice, values: MailValues) {
    const template = `accounts.${notice}`;
    await deps.mailer.enqueue(trx, {
      to: to.email,
      template,
      locale: to.locale,
      values: { account: to.email, ...values },
    });
  }

  async function discord(trx: Trx, to: NoticeRecipient, notice: AccountNotice, values: MailValues) {
    if ((await selectWebhook(trx, to.userId)) === undefined) return;
    const content = noticeMessage(to.locale, notice, values);
    await deps.jobs.send(trx, discordJobName, { userId: to.userId, content });
  }

  return {
    async send(trx, cause, { userId, email }, notice, values = {}) {
      // Not the language of the call: the thief of a session could choose one the owner cannot read.
      const locale = await selectLocale(trx, userId);
      const to = { userId, email, locale };
      await mail(trx, to, notice, { ...causeOf(cause), ...values });
      await discord(trx, to, notice, values);
    },
    async sendFromOperator(trx, to, notice, now) {
      await mail(trx, to, notice, { at: now.toISOString() });
      await discord(trx, to, notice, {});
    },
    async sendProduct(trx, to, notice, values = {}) {
      if (to.wantsMail) await mail(trx, to, notice, values);
      await discord(trx, to, notice, values);
    },
  };
}
