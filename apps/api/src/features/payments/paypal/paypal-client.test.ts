import { startPaypalServer, type PaypalServer } from "@palisade/testing/paypal-server";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StartError } from "#src/platform/database/ready.ts";
import { readPaypalValue, toPaypalValue } from "./paypal-answers.ts";
import { createPaypalClient, PaypalRefusal } from "./paypal-client.ts";
import { checkPaypalKeys } from "./paypal-keys.ts";

let paypal: PaypalServer;
beforeAll(async () => {
  paypal = await startPaypalServer();
});
afterAll(() => paypal?.close());

let upMs = 0;
const clientOf = (keys: { clientId?: string; secret?: string; baseUrl?: string } = {}) =>
  createPaypalClient({
    baseUrl: keys.baseUrl ?? paypal.url,
    clientId: keys.clientId ?? paypal.clientId,
    secret: keys.secret ?? paypal.secret,
    uptimeMs: () => upMs,
    firstPauseMs: 1,
  });
const unknown = { method: "GET", path: "/v2/checkout/orders/UNKNOWN" } as const;
const tokens = () => paypal.requests.filter((request) => request.endsWith("/token")).length;

describe("a token", () => {
  test("is asked for once by many requests at once, and again shortly before its end", async () => {
    const client = clientOf();
    const before = tokens();
    const ask = () => client.send(unknown).catch((error: unknown) => error);
    await Promise.all(Array.from({ length: 6 }, ask));
    expect(tokens() - before).toBe(1);
    upMs += (32_400 - 61) * 1_000;
    await ask();
    expect(tokens() - before).toBe(1);
    upMs += 1_001;
    await ask();
    expect(tokens() - before).toBe(2);
  });

  test("that PayPal no longer knows is replaced", async () => {
    const client = clientOf();
    await client.readRights();
    paypal.forgetTokens();
    await expect(client.send(unknown)).rejects.toMatchObject({ status: 404 });
  });

  test("that could not be had is asked for again by the next request", async () => {
    const client = clientOf();
    const fault = { on: /token$/, kind: "500" } as const;
    paypal.addFaults(fault, fault, fault, fault);
    await expect(client.readRights()).rejects.toThrow("INTERNAL_SERVER_ERROR");
    await expect(client.send(unknown)).rejects.toMatchObject({ status: 404 });
  });
});

describe("an error body of PayPal becomes an error", () => {
  test("with the request, the issue, its description and the debug id", async () => {
    const error = await clientOf()
      .send(unknown)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PaypalRefusal);
    expect(String(error)).toMatch(
      /PayPal answered GET \/v2\/checkout\/orders\/UNKNOWN with 404 RESOURCE_NOT_FOUND, INVALID_RESOURCE_ID, Specified resource ID does not exist.* \(debug id [0-9a-f]{13}\)/,
    );
    expect(error).toMatchObject({ issues: ["RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"] });
  });

  test.each(["", "<html>502</html>", "[]", "null", '{"details":7}', '{"details":[{"issue":1}]}'])(
    "also when it is %j",
    (text) => {
      const error = new PaypalRefusal(unknown, 400, text);
      expect(error.message).toContain("an answer that is not PayPal's");
      expect(error.has("ORDER_ALREADY_CAPTURED")).toBe(false);
    },
  );
});

describe("at the start", () => {
  const log = () => {
    const lines: string[] = [];
    return { lines, log: pino({}, { write: (line: string) => void lines.push(line) }) };
  };

  test.each([{ clientId: "another-client-0123456789" }, { secret: "another-secret-0123456789" }])(
    "wrong keys stop it and are named: %j",
    async (keys) => {
      const check = checkPaypalKeys(clientOf(keys), log().log);
      await expect(check).rejects.toBeInstanceOf(StartError);
      await expect(check).rejects.toThrow(/PALISADE_PAYPAL_CLIENT_ID.*PALISADE_PAYPAL_MODE/);
      await expect(check).rejects.not.toThrow(/another-secret/);
    },
  );

  test("a PayPal that does not answer stops nothing", async () => {
    const { log: logger, lines } = log();
    const away = await startPaypalServer();
    await away.close();
    await checkPaypalKeys(clientOf({ baseUrl: away.url }), logger);
    expect(lines.join()).toContain("its keys were not checked");
  });

  test("a right that is missing is named", async () => {
    const { log: logger, lines } = log();
    const poor = await startPaypalServer({ scopes: ["openid"] });
    const { url: baseUrl, clientId, secret } = poor;
    await checkPaypalKeys(clientOf({ baseUrl, clientId, secret }), logger);
    await poor.close();
    expect(lines.join()).toContain("reporting/search/read");
    expect(lines.join()).toContain("disputes/read-seller");
  });
});

test.each([
  [0, "0.00"],
  [1, "0.01"],
  [110, "1.10"],
  [2_000, "20.00"],
  [99_999, "999.99"],
  [-1_905, "-19.05"],
])("%d cents are %s at PayPal and back", (cents, value) => {
  expect(toPaypalValue(cents)).toBe(value);
  expect(readPaypalValue(value)).toBe(cents);
});

test.each([
  ["20", 2_000],
  ["20.5", 2_050],
  ["0.1", 10],
])("%s is %d cents", (value, cents) => {
  expect(readPaypalValue(value)).toBe(cents);
});
