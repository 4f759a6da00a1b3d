import { createAccountNotices } from "#src/features/account-notices/account-notices.service.ts";
import { removeTwoFactor } from "#src/features/two-factor/two-factor-removal.service.ts";
import { withJobSender } from "#src/platform/jobs/job-sender.ts";
import { createMailer, createMailSealer } from "#src/platform/mail/outbox.ts";
import { CommandError, withDatabase, type Command } from "./command.ts";

export const accountTwoFactorOffCommand: Command = {
  name: "account two-factor-off",
  usage: "<email>",
  summary: "Takes two-factor and passkeys off for an owner who has lost them",
  async run([email, ...rest]) {
    if (email === undefined || rest.length > 0) throw new CommandError("Give one e-mail", 2);
    const outcome = await withDatabase((db, config, clock, audit) =>
      withJobSender(config.databaseUrl, (jobs) => {
        const mailer = createMailer(jobs, createMailSealer(config));
        const notices = createAccountNotices({ mailer, jobs });
        return removeTwoFactor({ db, audit, notices }, email, clock.now());
      }),
    );
    if (outcome === "unknown") throw new CommandError(`There is no account ${email}`);
    if (outcome === "off") throw new CommandError(`${email} has neither two-factor nor passkeys`);
    console.log(`${email} logs in by password alone now: every session was ended, a mail tells so`);
  },
};
