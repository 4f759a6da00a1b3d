import { SettingsError } from "@palisade/settings/settings";
import { accountTwoFactorOffCommand } from "./account-two-factor-off.command.ts";
import { auditVerifyCommand } from "./audit-verify.command.ts";
import { CommandError, type Command } from "./command.ts";
import { cookiesRenewCommand } from "./cookies-renew.command.ts";
import { databaseRestoredCommand } from "./database-restored.command.ts";
import { edgeInviteCommand } from "./edge-invite.command.ts";
import { ledgerCreditCommand } from "./ledger-credit.command.ts";
import { ledgerExportCommand, ledgerRevenueCommand } from "./ledger-export.command.ts";
import { ledgerVerifyCommand } from "./ledger-verify.command.ts";
import { migrateCommand } from "./migrate.command.ts";
import {
  moneyAdjustCommand,
  moneyConfirmCommand,
  moneyOrdersCommand,
  moneyRefundCommand,
  moneyRejectCommand,
  moneyReverseCommand,
} from "./money.command.ts";
import {
  planListCommand,
  planOfferCommand,
  planPriceCommand,
  planRetireCommand,
} from "./plan.command.ts";
import { promoAddCommand } from "./promo-add.command.ts";
import { promoEndCommand, promoListCommand } from "./promo-end.command.ts";
import {
  purchasesFreezeCommand,
  purchasesStatusCommand,
  purchasesUnfreezeCommand,
} from "./purchases.command.ts";
import { quarantineListCommand, quarantineResolveCommand } from "./quarantine.command.ts";
import { secretsReencryptCommand } from "./secrets-reencrypt.command.ts";
import { sessionsEndCommand } from "./sessions-end.command.ts";
import { shieldBlockCommand, shieldUnblockCommand } from "./shield-block.command.ts";
import { shieldPlanCommand } from "./shield-plan.command.ts";
import { shieldRollbackCommand } from "./shield-rollback.command.ts";
import { staffAddCommand } from "./staff-add.command.ts";
import { supportPlanCommand } from "./support-plan.command.ts";
import { staffRemoveCommand } from "./staff-remove.command.ts";
import { StartError } from "#src/platform/database/ready.ts";

const commands: readonly Command[] = [
  migrateCommand,
  edgeInviteCommand,
  staffAddCommand,
  staffRemoveCommand,
  accountTwoFactorOffCommand,
  sessionsEndCommand,
  auditVerifyCommand,
  cookiesRenewCommand,
  secretsReencryptCommand,
  databaseRestoredCommand,
  ledgerCreditCommand,
  ledgerVerifyCommand,
  ledgerExportCommand,
  ledgerRevenueCommand,
  moneyAdjustCommand,
  moneyReverseCommand,
  moneyRefundCommand,
  moneyOrdersCommand,
  moneyConfirmCommand,
  moneyRejectCommand,
  quarantineListCommand,
  quarantineResolveCommand,
  purchasesStatusCommand,
  purchasesFreezeCommand,
  purchasesUnfreezeCommand,
  promoAddCommand,
  promoListCommand,
  promoEndCommand,
  shieldRollbackCommand,
  shieldBlockCommand,
  shieldUnblockCommand,
  shieldPlanCommand,
  supportPlanCommand,
  planListCommand,
  planPriceCommand,
  planRetireCommand,
  planOfferCommand,
];

/**
 * One call of `npm run palisade -- <words>`. It prints on stdout and stderr.
 *
 * @returns the exit code
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  const command = commands.find(({ name }) => startsWith(words, name.split(" ")));
  if (command === undefined) {
    const isHelp = words.length === 0 || ["help", "--help", "-h"].includes(words[0] ?? "");
    if (!isHelp) console.error(`There is no command ${words.join(" ")}\n`);
    (isHelp ? console.log : console.error)(help());
    return isHelp ? 0 : 2;
  }
  try {
    await command.run(words.slice(command.name.split(" ").length));
    return 0;
  } catch (error) {
    if (error instanceof CommandError) {
      console.error(error.message);
      if (error.exitCode === 2) console.error(usageLine(command));
      return error.exitCode;
    }
    const isForOperator = error instanceof SettingsError || error instanceof StartError;
    console.error(isForOperator ? error.message : error);
    return 1;
  }
}

function startsWith(words: readonly string[], name: readonly string[]): boolean {
  return name.every((word, index) => words[index] === word);
}

function usageLine(command: Command): string {
  return `usage: npm run palisade -- ${command.name} ${command.usage}`.trimEnd();
}

function help(): string {
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`,
  );
  return ["usage: npm run palisade -- <command>", "", ...lines].join("\n");
}
