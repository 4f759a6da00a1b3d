import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Stripe } from "stripe";
import { SettingsError } from "@palisade/settings/settings";

export interface StripeAccount {
  /** Undefined until Stripe has named it. */
  id(): string | undefined;
  /** @throws SettingsError if Stripe refuses the key */
  start(): Promise<void>;
  stop(): void;
}

const retryMs = 30_000;

/**
 * The account of the secret key, as Stripe names it. Payments are refused until it is known. Stripe
 * being away stops nothing else, so the api starts without it and asks again.
 */
export function createStripeAccount(stripe: Stripe, log: Logger): StripeAccount {
  const ending = new AbortController();
  let id: string | undefined;
  const ask = async (): Promise<void> => {
    ({ id } = await stripe.accounts.retrieveCurrent());
  };
  const askUntilKnown = async (): Promise<void> => {
    await sleep(retryMs, undefined, { ref: false, signal: ending.signal });
    try {
      await ask();
    } catch (error) {
      log.warn({ err: error }, "Stripe does not answer yet");
      await askUntilKnown();
    }
  };
  return {
    id: () => id,
    async start() {
      try {
        await ask();
      } catch (error) {
        if (isRefusedKey(error)) throw refusedKey();
        log.error({ err: error }, "Stripe does not answer: it takes no payments until it does");
        askUntilKnown().catch(() => undefined);
      }
    },
    stop: () => ending.abort(),
  };
}

function isRefusedKey(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  );
}

function refusedKey(): SettingsError {
  return new SettingsError([
    "PALISADE_STRIPE_SECRET_KEY is refused by Stripe: it was mistyped or revoked, or a restricted key lacks the right to read the account",
  ]);
}
