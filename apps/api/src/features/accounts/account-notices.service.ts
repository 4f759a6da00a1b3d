import type { Locale } from "@palisade/contract/texts/render";
import type { Trx } from "#src/platform/database/db.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { Mailer, MailValues } from "#src/platform/mail/mailer.ts";
import { noticeText, type AccountNotice } from "./account-notice-texts.ts";
import { discordJobName } from "./discord.job.ts";
import { selectWebhook } from "./profile.repository.ts";

export interface NoticeRecipient {
  readonly userId: string;
  readonly email: string;
  readonly locale: Locale;
}

/** Tells people what happened to their account, by mail and, where they gave one, in Discord. */
export interface AccountNotices {
  /** About security: the mail goes out whatever the recipient's preferences. */
  send(trx: Trx, to: NoticeRecipient, notice: AccountNotice, values?: MailValues): Promise<void>;
  /** About the product: no mail where the recipient does not want those. */
  sendProduct(
    trx: Trx,
    to: NoticeRecipient & { readonly wantsMail: boolean },
    notice: AccountNotice,
    values?: MailValues,
  ): Promise<void>;
}

export function createAccountNotices(deps: {
  readonly mailer: Mailer;
  readonly jobs: Jobs;
}): AccountNotices {
  async function mail(trx: Trx, to: NoticeRecipient, notice: AccountNotice, values: MailValues) {
    const template = `accounts.${notice}`;
    await deps.mailer.enqueue(trx, { to: to.email, template, locale: to.locale, values });
  }

  async function discord(trx: Trx, to: NoticeRecipient, notice: AccountNotice, values: MailValues) {
    if ((await selectWebhook(trx, to.userId)) === undefined) return;
    const { subject, lead, advice } = noticeText(to.locale, notice, values);
    const content = `**${subject}**\n${lead}\n${advice}`;
    await deps.jobs.send(trx, discordJobName, { userId: to.userId, content });
  }

  return {
    async send(trx, to, notice, values = {}) {
      await mail(trx, to, notice, values);
      await discord(trx, to, notice, values);
    },
    async sendProduct(trx, to, notice, values = {}) {
      if (to.wantsMail) await mail(trx, to, notice, values);
      await discord(trx, to, notice, values);
    },
  };
}
