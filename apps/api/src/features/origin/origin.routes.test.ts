import { routes } from "@palisade/contract/http/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let staff: TestUser;

beforeAll(async () => {
  testApp = await createTestApp({ config: { publicUrl: "https://panel.example.net/" } });
  staff = await createStaff(testApp);
  owner = await createUser(testApp);
});
afterAll(() => testApp.close());

async function origin(id: string) {
  const answer = await call(testApp, routes.origin.getOrigin, {
    token: owner.token,
    params: { id },
  });
  return routes.origin.getOrigin.response.parse(answer.json());
}

function download() {
  return testApp.app.inject({ url: "/api/v1/edges/addresses.txt" });
}

test("rules let every edge in, wherever the shield is served: a change of region locks none out", async () => {
  expect((await download()).body).toBe("");
  await enrolEdge(testApp, staff, {
    name: "one",
    addresses: ["198.51.100.20", "2001:DB8::20", "198.51.100.3"],
  });
  const abroad = await enrolEdge(testApp, staff, {
    name: "two",
    location: "frankfurt",
    addresses: ["192.0.2.7", "198.51.100.3"],
  });
  await enrolEdge(testApp, staff, { name: "dns", kind: "dns", addresses: ["192.0.2.53"] });
  const { id } = await createShield(testApp, owner, { real_port: 25_577 });

  const first = await origin(id);
  expect(first).toMatchObject({
    addresses: ["192.0.2.7", "198.51.100.3", "198.51.100.20", "2001:db8::20"],
    is_complete: true,
    ports: [25_577],
    udp_ports: [],
    addresses_url: "/api/v1/edges/addresses.txt",
    proxy_protocol: "off",
  });
  expect(first.snippets.map(({ program }) => program)).toEqual(["nftables", "iptables", "ufw"]);
  for (const { text } of first.snippets) {
    expect(text).toContain("198.51.100.20");
    expect(text).toContain("2001:db8::20");
    expect(text).toContain("25577");
    expect(text).toContain("192.0.2.7");
    expect(text).not.toContain("192.0.2.53");
  }
  expect(first.refresh).toContain("'https://panel.example.net/api/v1/edges/addresses.txt'");
  expect(first.settings.map(({ file }) => file)).toContain("velocity.toml");

  const answer = await download();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("public, max-age=300");
  expect(answer.body).toBe("192.0.2.7\n198.51.100.3\n198.51.100.20\n2001:db8::20\n");

  const group = await call(testApp, routes.backends.getBackends, {
    token: owner.token,
    params: { id },
  });
  const backendId = routes.backends.getBackends.response.parse(group.json()).backends[0]?.id ?? "";
  await call(testApp, routes.backends.updateBackendGroup, {
    token: owner.token,
    params: { id, backendId },
    body: { region: "frankfurt", proxy_protocol: true },
  });
  expect(await origin(id)).toMatchObject({ snippets: first.snippets, proxy_protocol: "on" });

  await call(testApp, routes.staffEdges.revokeEdge, {
    token: staff.token,
    params: { edgeId: abroad.id },
    body: { reason: "Taken down" },
  });
  expect((await origin(id)).addresses).not.toContain("192.0.2.7");
  expect((await download()).body).not.toContain("192.0.2.7");
});

test("an edge that told no address is said to be missing", async () => {
  const silent = await enrolEdge(testApp, staff, {
    name: "silent",
    location: "stockholm",
    addresses: [],
  });
  const { id } = await createShield(testApp, owner, { location: "stockholm" });
  expect((await origin(id)).is_complete).toBe(false);
  await call(testApp, routes.staffEdges.revokeEdge, {
    token: staff.token,
    params: { edgeId: silent.id },
    body: { reason: "Taken down" },
  });
  expect((await origin(id)).is_complete).toBe(true);
});
