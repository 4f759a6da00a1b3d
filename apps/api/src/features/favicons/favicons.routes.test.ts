import { randomUUID } from "node:crypto";
import { faviconBytesMax } from "@palisade/contract/edge/favicon";
import type { BackendFavicon } from "@palisade/contract/edge/telemetry";
import { routes } from "@palisade/contract/http/routes";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  addMember,
  createShield,
  enrolEdge,
  type TestEdge,
  firstBackend,
} from "#src/test-support/test-shields.ts";
import {
  call,
  createStaff,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let edge: TestEdge;
let owner: TestUser;
let shieldId: string;
let backendId: string;
let seq = 0;
const bootId = randomUUID();

const { listServers } = routes.servers;
const { getServerImage } = routes.serverMessages;
const icon = sampleFavicon({ seed: 1 });
const otherIcon = sampleFavicon({ seed: 2 });

beforeAll(async () => {
  testApp = await createTestApp();
  edge = await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
});
afterAll(() => testApp?.close());
beforeEach(async () => {
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
  backendId = await firstBackend(testApp, shieldId);
});

async function report(
  favicon: string | null,
  { at, ...changes }: Partial<BackendFavicon> & { readonly at?: number } = {},
): Promise<void> {
  const favicons = [{ shield_id: shieldId, backend_id: backendId, favicon, ...changes }];
  const nothing = { minutes: [], live: [], backends: [], attacks: [], logins: [] };
  const body = { boot_id: bootId, seq: at ?? ++seq, ...nothing, favicons };
  await expectStatus(call(testApp, routes.edge.telemetry, { token: edge.credential, body }), 200);
}

/** The address on the list of shields. */
async function imageAddress(user = owner): Promise<string | null> {
  const answer = await expectStatus(call(testApp, listServers, { token: user.token }), 200);
  return (
    listServers.response.parse(answer.json()).data.find(({ id }) => id === shieldId)?.img ?? null
  );
}

/** The picture behind the address; null without one. */
async function shown(user = owner): Promise<string | null> {
  const url = await imageAddress(user);
  if (url === null) return null;
  const answer = await testApp.app.inject({
    url,
    headers: { authorization: `Bearer ${user.token}` },
  });
  return getServerImage.response.parse(answer.json()).image;
}

async function stored() {
  const rows = await testApp.platform.db
    .selectFrom("backend_favicons")
    .select("png")
    .where("backend_id", "=", backendId)
    .execute();
  return rows.map(({ png }) => png);
}

function address() {
  return testApp.platform.db
    .selectFrom("backends")
    .select(["group_id", "host", "port"])
    .where("id", "=", backendId)
    .executeTakeFirstOrThrow();
}

const { updateBackendServer, removeBackendServer } = routes.backends;

async function changeServer(
  route: typeof updateBackendServer | typeof removeBackendServer,
  changes?: { readonly port: number },
): Promise<void> {
  const { group_id, host } = await address();
  const params = { id: shieldId, backendId: group_id, ipId: backendId };
  const body = changes && { ip: host, ...changes };
  await expectStatus(call(testApp, route, { token: owner.token, params, body }), 200);
}

describe("the icon of a backend", () => {
  test("is the picture of its shield, with another address once it changes, until it is gone", async () => {
    expect(await imageAddress()).toBeNull();
    await report(icon);
    expect(await shown()).toBe(icon);
    const address = await imageAddress();
    await report(icon);
    expect(await imageAddress()).toBe(address);
    await report(otherIcon);
    expect(await shown()).toBe(otherIcon);
    expect(await imageAddress()).not.toBe(address);
    await report(null);
    expect(await imageAddress()).toBeNull();
    const answer = call(testApp, getServerImage, { token: owner.token, params: { id: shieldId } });
    await expectStatus(answer, 404);
  });

  test("gives way to the picture that the owner has uploaded, and comes back without it", async () => {
    await report(icon);
    const upload = (png: Buffer | null) =>
      testApp.platform.db
        .updateTable("shield_messages")
        .set({ offline_image: png })
        .where("shield_id", "=", shieldId)
        .execute();
    await upload(Buffer.from("the owner's"));
    expect(await shown()).toBe(`data:image/png;base64,${btoa("the owner's")}`);
    await upload(null);
    expect(await shown()).toBe(icon);
  });

  test("is shown to members, and to no one else", async () => {
    await report(icon);
    const [member, stranger] = [await createUser(testApp), await createUser(testApp)];
    await addMember(testApp, shieldId, member);
    expect(await shown(member)).toBe(icon);
    const params = { id: shieldId };
    const seen = (user: TestUser) => call(testApp, getServerImage, { token: user.token, params });
    expect(await imageAddress(stranger)).toBeNull();
    await expectStatus(seen(stranger), 404);
    await expectStatus(call(testApp, getServerImage, { params }), 401);
  });

  test("is of a backend of the shield that the report names", async () => {
    const victim = await createShield(testApp, await createUser(testApp));
    await report(icon, { backend_id: await firstBackend(testApp, victim.id) });
    await report(icon, { backend_id: randomUUID() });
    await report(icon, { shield_id: randomUUID() });
    expect(await imageAddress()).toBeNull();
    const rows = await testApp.platform.db
      .selectFrom("backend_favicons")
      .select("backend_id")
      .where("backend_id", "=", await firstBackend(testApp, victim.id))
      .execute();
    expect(rows).toEqual([]);
  });

  test.each([
    ["a PNG of another size", sampleFavicon({ width: 128, height: 128 })],
    ["a PNG that is not square", sampleFavicon({ height: 65 })],
    ["more than 16 KiB", sampleFavicon({ bytes: faviconBytesMax + 1 })],
    ["half a header", sampleFavicon().slice(0, 50)],
    ["an SVG", `data:image/png;base64,${btoa("<svg onload='alert(1)'/>".repeat(4))}`],
    ["no base64", "data:image/png;base64,===="],
  ])("%s is stored as no icon, in place of the one before", async (_, hostile) => {
    await report(icon);
    await report(hostile);
    expect(await stored()).toEqual([null]);
    expect(await imageAddress()).toBeNull();
  });

  test("the largest icon of the game fits", async () => {
    const largest = sampleFavicon({ bytes: faviconBytesMax, seed: 255 });
    await report(largest);
    expect(await shown()).toBe(largest);
  });

  test("a backend without an icon takes no room", async () => {
    await report(null);
    expect(await stored()).toEqual([]);
  });

  test("a report that a later one has overtaken changes nothing", async () => {
    const late = ++seq;
    await report(icon);
    await report(otherIcon, { at: late });
    expect(await shown()).toBe(icon);
  });

  test("the default group's oldest backend with an icon decides when several have one", async () => {
    const { db } = testApp.platform;
    const group = { shield_id: shieldId, balancing: "random", proxy_protocol: false } as const;
    const created_at = testApp.clock.now();
    const other = { ...group, id: newId(), name: "Other", is_default: false, created_at };
    await db.insertInto("backend_groups").values(other).execute();
    const { group_id } = await db
      .selectFrom("backends")
      .select("group_id")
      .where("id", "=", backendId)
      .executeTakeFirstOrThrow();
    const addresses = { host: "198.51.100.9", created_at };
    const inOther = { ...addresses, id: newId(), group_id: other.id, port: 1 };
    const second = { ...addresses, id: newId(), group_id, port: 2 };
    await db.insertInto("backends").values([inOther, second]).execute();
    await report(icon, { backend_id: inOther.id });
    expect(await shown()).toBe(icon);
    await report(otherIcon, { backend_id: second.id });
    expect(await shown()).toBe(otherIcon);
    await report(icon);
    expect(await shown()).toBe(icon);
  });

  test("stays with its backend's address and goes with another one", async () => {
    await report(icon);
    const move = (port: number) => changeServer(updateBackendServer, { port });
    const { port } = await address();
    await move(port);
    expect(await shown()).toBe(icon);
    await move(port + 1);
    expect(await stored()).toEqual([]);
  });

  test("goes with its backend", async () => {
    await report(icon);
    await changeServer(removeBackendServer);
    expect(await stored()).toEqual([]);
  });
});
