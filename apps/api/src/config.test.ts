import { Resolver } from "node:dns";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readApiConfig, readMigrationConfig } from "./config.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "palisade-config-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const database = "postgres://palisade_app@localhost/palisade";

describe("readApiConfig", () => {
  test("a development home gets a secret of its own, which stays and is private", async () => {
    const environment = { PALISADE_HOME: home, DATABASE_URL: database };
    const first = readApiConfig(environment);
    expect(first).toMatchObject({ development: true, httpHost: "127.0.0.1", httpPort: 8080 });
    expect(first.secret.length).toBeGreaterThanOrEqual(32);
    expect(readApiConfig(environment).secret).toBe(first.secret);
    expect((await stat(path.join(home, "secret"))).mode & 0o777).toBe(0o600);
  });

  test("production refuses every development default, all at once and without their values", () => {
    const read = () =>
      readApiConfig({
        PALISADE_ENV: "production",
        PALISADE_HOME: home,
        PALISADE_FAILPOINTS: "register.before-commit",
        PALISADE_SECRET: "short secret",
      });
    for (const name of [
      "PALISADE_PUBLIC_URL",
      "DATABASE_URL",
      "PALISADE_SECRET",
      "SMTP_URL",
      "PALISADE_MAIL_FROM",
      "PALISADE_OPERATOR_NAME",
      "PALISADE_OPERATOR_ADDRESS",
      "PALISADE_OPERATOR_EMAIL",
      "PALISADE_ZONE",
      "PALISADE_FAILPOINTS",
    ]) {
      expect(read).toThrow(new RegExp(`^  ${name} `, "m"));
    }
    expect(read).not.toThrow(/short secret/);
  });

  describe("Stripe", () => {
    const key = (mode: string) => `sk_${mode}_51Abcdefghijklmnop`;
    const webhook = "whsec_abcdefghijklmnop0123";
    const read = (stripe: Readonly<Record<string, string>>) =>
      readApiConfig({ PALISADE_HOME: home, DATABASE_URL: database, ...stripe }).stripe;

    test("is off without keys, and knows a test key", () => {
      expect(read({})).toBeUndefined();
      expect(
        read({ PALISADE_STRIPE_SECRET_KEY: key("test"), PALISADE_STRIPE_WEBHOOK_SECRET: webhook }),
      ).toEqual({
        secretKey: key("test"),
        isTestKey: true,
        webhookSecret: webhook,
        apiUrl: undefined,
      });
    });

    test.each<[string, Readonly<Record<string, string>>, RegExp]>([
      ["one key alone", { PALISADE_STRIPE_SECRET_KEY: key("test") }, /must be set together/],
      ["the other alone", { PALISADE_STRIPE_WEBHOOK_SECRET: webhook }, /must be set together/],
      [
        "a live key outside production",
        { PALISADE_STRIPE_SECRET_KEY: key("live"), PALISADE_STRIPE_WEBHOOK_SECRET: webhook },
        /PALISADE_STRIPE_SECRET_KEY is a live key/,
      ],
      [
        "a test key in production",
        { PALISADE_ENV: "production", PALISADE_STRIPE_SECRET_KEY: key("test") },
        /PALISADE_STRIPE_SECRET_KEY is a test key/,
      ],
      [
        "a publishable key",
        { PALISADE_STRIPE_SECRET_KEY: "pk_test_51Abcdefghijklmnop" },
        /PALISADE_STRIPE_SECRET_KEY must be a secret or restricted key/,
      ],
      [
        "a key that was cut off",
        { PALISADE_STRIPE_SECRET_KEY: "sk_test_51Ab" },
        /PALISADE_STRIPE_SECRET_KEY must be a secret or restricted key/,
      ],
      [
        "a webhook secret of another kind",
        { PALISADE_STRIPE_WEBHOOK_SECRET: key("test") },
        /PALISADE_STRIPE_WEBHOOK_SECRET must be the signing secret/,
      ],
      [
        "a stand-in on another machine",
        { PALISADE_STRIPE_API_URL: "http://stripe.example.com:80" },
        /PALISADE_STRIPE_API_URL must be http:\/\/127/,
      ],
      [
        "a stand-in in production",
        { PALISADE_ENV: "production", PALISADE_STRIPE_API_URL: "http://127.0.0.1:1234" },
        /PALISADE_STRIPE_API_URL must not be set in production/,
      ],
    ])("%s is an error at start that shows no key", (_, stripe, problem) => {
      expect(() => read(stripe)).toThrow(problem);
      expect(() => read(stripe)).not.toThrow(/51Ab/);
    });
  });

  test.each(["10.0.0.0/33", "proxy.example.com", "::1/129", "1.2.3.4/x"])(
    "%s is no trusted proxy",
    (range) => {
      const environment = {
        PALISADE_HOME: home,
        DATABASE_URL: database,
        PALISADE_TRUSTED_PROXIES: `127.0.0.1, ${range}`,
      };
      expect(() => readApiConfig(environment)).toThrow(/PALISADE_TRUSTED_PROXIES/);
    },
  );

  test.each(["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:53"])(
    "%s is a resolver, as the look at DNS takes it",
    (server) => {
      const environment = { PALISADE_HOME: home, DATABASE_URL: database };
      const config = readApiConfig({
        ...environment,
        PALISADE_DNS_RESOLVERS: `192.0.2.9, ${server}`,
        PALISADE_ZONE_SERVER: server,
      });
      expect(config).toMatchObject({
        dnsResolvers: ["192.0.2.9", server],
        zoneServer: server,
      });
      expect(() => new Resolver().setServers([server])).not.toThrow();
    },
  );

  test.each([
    "dns.example.com",
    "192.0.2.1:99999",
    "192.0.2.1:",
    "[192.0.2.1]:53",
    "[::1",
    "1.2.3",
  ])("%s is no resolver", (server) => {
    const environment = { PALISADE_HOME: home, DATABASE_URL: database };
    for (const name of ["PALISADE_DNS_RESOLVERS", "PALISADE_ZONE_SERVER"]) {
      expect(() => readApiConfig({ ...environment, [name]: server })).toThrow(new RegExp(name));
    }
  });

  test("ranges and addresses of both families may be trusted", () => {
    const trusted = ["10.0.0.0/8", "127.0.0.1", "fd00::/8"];
    const config = readApiConfig({
      PALISADE_HOME: home,
      DATABASE_URL: database,
      PALISADE_TRUSTED_PROXIES: trusted.join(","),
    });
    expect(config.trustedProxies).toEqual(trusted);
  });
});

test("migrations need the owner's URL", () => {
  expect(() => readMigrationConfig({ DATABASE_URL: database })).toThrow(/DATABASE_MIGRATE_URL/);
});

describe("TLS", () => {
  const production = {
    PALISADE_HOME: "/nonexistent",
    DATABASE_URL: database,
    PALISADE_SECRET: "s".repeat(32),
  };
  const read = (settings: Record<string, string>) => readApiConfig({ ...production, ...settings });
  const PALISADE_PUBLIC_URL = "https://console.example.com";

  test("is off, in files, or of a CA for the public address", () => {
    expect(read({}).tls).toBeUndefined();
    expect(read({ PALISADE_TLS: "acme", PALISADE_PUBLIC_URL }).tls).toEqual({
      kind: "acme",
      directoryUrl: "https://acme-v02.api.letsencrypt.org/directory",
      email: undefined,
      domain: "console.example.com",
    });
    const files = { PALISADE_TLS_CERTIFICATE: "a.pem", PALISADE_TLS_KEY: "b.pem" };
    expect(read({ PALISADE_TLS: "files", PALISADE_PUBLIC_URL, ...files }).tls).toEqual({
      kind: "files",
      certFile: "a.pem",
      keyFile: "b.pem",
    });
  });

  test.each([
    [{ PALISADE_TLS: "acme" }, /PALISADE_PUBLIC_URL must be an https URL/],
    [
      { PALISADE_TLS: "acme", PALISADE_PUBLIC_URL: "https://192.0.2.1" },
      /PALISADE_PUBLIC_URL .* domain/,
    ],
    [
      { PALISADE_TLS: "files", PALISADE_PUBLIC_URL },
      /PALISADE_TLS_CERTIFICATE and PALISADE_TLS_KEY/,
    ],
    [{ PALISADE_TLS: "on" }, /PALISADE_TLS must be off, files or acme/],
  ])("that cannot work is refused at the start: %j", (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });

  test("sockets of systemd are taken by their names, if they are meant for this process", () => {
    const given = { LISTEN_FDS: "2", LISTEN_FDNAMES: "https:http" };
    expect(read({ ...given, LISTEN_PID: String(process.pid) }).inherited).toEqual({
      https: 3,
      http: 4,
    });
    expect(read({ ...given, LISTEN_PID: "1" }).inherited).toEqual({});
  });
});

describe("PayPal", () => {
  const read = (settings: object) =>
    readApiConfig({ PALISADE_HOME: home, DATABASE_URL: database, ...settings });
  const keys = {
    PALISADE_PAYPAL_CLIENT_ID: "client-0123456789-0123456789",
    PALISADE_PAYPAL_SECRET: "secret-0123456789-0123456789",
    PALISADE_PAYPAL_MERCHANT_ID: "ABCDEFGH12345",
    PALISADE_PAYPAL_WEBHOOK_ID: "5GP028458E2496506",
  };

  test("is off without keys, and in the sandbox with them", () => {
    expect(read({}).paypal).toBeUndefined();
    expect(read({ PALISADE_PAYPAL_MODE: "sandbox" }).paypal).toBeUndefined();
    expect(read(keys).paypal).toEqual({
      mode: "sandbox",
      clientId: keys.PALISADE_PAYPAL_CLIENT_ID,
      secret: keys.PALISADE_PAYPAL_SECRET,
      merchantId: "ABCDEFGH12345",
      webhookId: "5GP028458E2496506",
      apiUrl: undefined,
    });
    const stand = { ...keys, PALISADE_PAYPAL_API_URL: "http://127.0.0.1:8099" };
    expect(read(stand).paypal?.apiUrl).toBe("http://127.0.0.1:8099");
  });

  test.each([
    ...Object.keys(keys).map((name): [object, RegExp] => [
      { ...keys, [name]: "" },
      new RegExp(`PayPal needs ${name} too`),
    ]),
    [{ ...keys, PALISADE_PAYPAL_MODE: "live" }, /PALISADE_PAYPAL_MODE is live/],
    [{ ...keys, PALISADE_PAYPAL_MODE: "test" }, /PALISADE_PAYPAL_MODE must be sandbox or live/],
    [{ ...keys, PALISADE_PAYPAL_SECRET: "a short one" }, /PALISADE_PAYPAL_SECRET must be copied/],
    [
      { ...keys, PALISADE_PAYPAL_MERCHANT_ID: "me@example.com" },
      /PALISADE_PAYPAL_MERCHANT_ID must/,
    ],
    [{ ...keys, PALISADE_PAYPAL_WEBHOOK_ID: "https://x" }, /PALISADE_PAYPAL_WEBHOOK_ID must/],
    ...[
      "https://api.example.com",
      "http://127.0.0.1.example.com:80",
      "http://10.0.0.1:80",
      "http://127.0.0.1:80/x",
      "http://a@127.0.0.1:80",
    ].map((url): [object, RegExp] => [
      { ...keys, PALISADE_PAYPAL_API_URL: url },
      /PALISADE_PAYPAL_API_URL must be http:\/\/127\.0\.0\.1:port/,
    ]),
  ])("that cannot work is refused at the start, without its secret: %j", (settings, message) => {
    expect(() => read(settings)).toThrow(message);
    expect(() => read(settings)).not.toThrow(/secret-0123456789|a short one/);
  });

  test("in production takes live keys only, and no stand-in", () => {
    const production = { ...keys, PALISADE_ENV: "production" };
    expect(() => read(production)).toThrow(/PALISADE_PUBLIC_URL/);
    const stand = { ...production, PALISADE_PAYPAL_API_URL: "http://127.0.0.1:8099" };
    expect(() => read(stand)).toThrow(/PALISADE_PAYPAL_API_URL must not be set in production/);
    const whole = {
      ...production,
      PALISADE_PUBLIC_URL: "https://console.example.com",
      PALISADE_SECRET: "a secret that is long enough to be one",
      SMTP_URL: "smtps://user:password@mail.example.com",
      PALISADE_MAIL_FROM: "Palisade <palisade@example.com>",
      PALISADE_OPERATOR_NAME: "Operator",
      PALISADE_OPERATOR_ADDRESS: "Street 1",
      PALISADE_OPERATOR_EMAIL: "operator@example.com",
      PALISADE_ZONE: "gs.example.com",
    };
    expect(() => read(whole)).toThrow(/PALISADE_PAYPAL_MODE must be live in production/);
    expect(read({ ...whole, PALISADE_PAYPAL_MODE: "live" }).paypal?.mode).toBe("live");
  });

  test.each([
    ["0", 0],
    ["1000", 100_000],
  ])("staff order up to %s euros alone", (euros, cents) => {
    expect(read({ PALISADE_FOUR_EYES_EUROS: euros }).fourEyesCents).toBe(cents);
  });

  test.each(["-1", "1.5", "1e3", "1000001"])("%s euros are no limit for staff", (euros) => {
    expect(() => read({ PALISADE_FOUR_EYES_EUROS: euros })).toThrow(/PALISADE_FOUR_EYES_EUROS/);
  });
});
