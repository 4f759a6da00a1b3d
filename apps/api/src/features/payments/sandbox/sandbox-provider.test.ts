import { afterAll, beforeAll, describe } from "vitest";
import { deriveKey } from "#src/platform/security/derived-key.ts";
import { testProviderContract } from "#src/test-support/provider-contract.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { openForm } from "#src/test-support/test-payments.ts";
import type { PaymentProvider } from "../payment-provider.ts";
import { createSandboxProvider, sandboxPath } from "./sandbox-provider.ts";

let testApp: TestApp;
let provider: PaymentProvider;
beforeAll(async () => {
  testApp = await createTestApp();
  const { db, clock, config } = testApp.platform;
  const webhookKey = deriveKey(config.secret, "sandbox-webhooks");
  provider = createSandboxProvider({ db, clock, webhookKey });
});
afterAll(() => testApp?.close());

const formOf = (reference: string) => openForm(testApp, { url: `${sandboxPath}/${reference}` });

describe("the sandbox, like any provider,", () => {
  testProviderContract({
    provider: () => provider,
    now: () => testApp.clock.now(),
    advance: (ms) => testApp.clock.advance(ms),
    async pay(reference) {
      await (await formOf(reference)).post("pay");
    },
    async prepare(reference) {
      const form = await formOf(reference);
      return async () => {
        await form.post("pay");
      };
    },
  });
});
