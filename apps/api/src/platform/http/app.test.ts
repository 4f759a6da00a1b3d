import { allRoutes } from "@palisade/contract/http/routes";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { createApp, type AppOptions } from "./app.ts";
import type { Mount } from "./pipeline/mount-types.ts";

/** Building an app touches none of these. */
const untouched = new Proxy(
  {},
  {
    get() {
      throw new Error("Used while the app was built");
    },
  },
);
// Only what building reads is given; anything else throws.
const options = {
  db: untouched,
  clock: untouched,
  audit: untouched,
  credentials: untouched,
  shieldAccess: { of: async () => null, hold: async () => false },
  secureCookies: false,
  log: fastify({ logger: false }).log,
  trustedProxies: [],
  plugins: [],
  mountRoutes: (mount: Mount) => {
    for (const route of allRoutes) mount(route, async () => ({ body: {} as never }));
  },
} as unknown as AppOptions;

test("an app with every route of the contract is built", async () => {
  const app = await createApp(options);
  expect(app.hasRoute({ method: "POST", url: "/api/v1/auth/login" })).toBe(true);
  await app.close();
});

test("a contract route without a handler stops the start and is named", async () => {
  const build = createApp({
    ...options,
    mountRoutes: (mount) => {
      for (const route of allRoutes.slice(2)) mount(route, async () => ({ body: {} as never }));
    },
  });
  await expect(build).rejects.toThrow(/auth\.register, auth\.verifyEmailCode/);
});

test("a route mounted twice stops the start", async () => {
  const build = createApp({
    ...options,
    mountRoutes: (mount) => {
      options.mountRoutes(mount);
      options.mountRoutes(mount);
    },
  });
  await expect(build).rejects.toThrow(/mounted twice/);
});

test.each(["/api/v1/backdoor", "/edge/v1/backdoor"])(
  "%s, which is not in the contract, stops the start",
  async (url) => {
    const build = createApp({
      ...options,
      plugins: [
        async (app) => {
          app.get(url, async () => "open");
        },
      ],
    });
    await expect(build).rejects.toThrow(/not in the contract/);
  },
);
