import { routes } from "@palisade/contract/http/routes";
import { statusDocument } from "@palisade/contract/http/status-page";
import { hostileTexts } from "@palisade/testing/hostile-texts";
import { until } from "@palisade/testing/until";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { incidentBody, publishIncident } from "#src/test-support/status-samples.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, createStaff, type TestUser } from "#src/test-support/test-users.ts";
import { statusPaths } from "./status-paths.ts";

let testApp: TestApp;
let replica: TestApp;
let staff: TestUser;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
  staff = await createStaff(testApp);
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

const english = { "accept-language": "en" };

async function page(url: string = statusPaths.page, app = testApp) {
  return app.app.inject({ url, headers: english });
}

async function document(app = testApp) {
  return statusDocument.parse((await page(statusPaths.json, app)).json());
}

function addUpdate(incidentId: string, state: string, text = "Said") {
  return call(testApp, routes.staffStatus.addUpdate, {
    token: staff.token,
    params: { incidentId },
    body: { state, text_en: text, text_ru: "Сказано", reason: "as told" },
  });
}

test("an incident is on the page of every process from its publication to its end", async () => {
  const { id } = await publishIncident(testApp, staff, { impact: "major" });
  for (const app of [testApp, replica]) {
    await until(async () => (await document(app)).current.some((each) => each.id === id));
    expect((await document(app)).state).toBe("outage");
  }
  const shown = await page(`${statusPaths.page}?lang=ru`);
  expect(shown.headers["content-language"]).toBe("ru");
  expect(shown.body).toContain("Игроки не могут зайти через Local");
  expect((await addUpdate(id, "identified", "A provider fails")).statusCode).toBe(201);
  await until(async () => (await page()).body.includes("A provider fails"));
  expect((await addUpdate(id, "completed")).statusCode).toBe(422);
  expect((await addUpdate(id, "resolved", "All players can join")).statusCode).toBe(201);
  await until(async () => (await document(replica)).past.some((each) => each.id === id));
  const ended = (await document(replica)).past.find((each) => each.id === id);
  expect(ended?.updates.map(({ state }) => state)).toEqual([
    "resolved",
    "identified",
    "investigating",
  ]);
  const late = await addUpdate(id, "monitoring");
  expect([late.statusCode, late.json().code]).toEqual([409, "conflict"]);
});

test("a maintenance reminds, begins and ends by itself, once with two processes", async () => {
  const hour = 3_600_000;
  const at = (ms: number) => new Date(testApp.clock.nowMs() + ms).toISOString();
  const { id } = await publishIncident(testApp, staff, {
    kind: "maintenance",
    impact: "none",
    state: "scheduled",
    starts_at: at(3 * hour),
    ends_at: at(4 * hour),
  });
  const states = async () => {
    for (const app of [testApp, replica]) await app.runJob("status.advance-maintenances");
    const answer = await call(testApp, routes.staffStatus.listIncidents, { token: staff.token });
    const { incidents } = routes.staffStatus.listIncidents.response.parse(answer.json());
    return incidents.find((each) => each.id === id)?.updates.map(({ state }) => state);
  };
  expect(await states()).toEqual(["scheduled"]);
  testApp.clock.advance(2 * hour);
  expect(await states()).toEqual(["scheduled", "scheduled"]);
  expect(await states()).toEqual(["scheduled", "scheduled"]);
  testApp.clock.advance(hour);
  staff = await createStaff(testApp);
  expect((await states())?.[0]).toBe("in_progress");
  await until(async () => (await document()).current.some((each) => each.id === id));
  testApp.clock.advance(hour);
  expect(await states()).toEqual(["completed", "in_progress", "scheduled", "scheduled"]);
  await until(async () => (await document()).past.some((each) => each.id === id));
});

test.each([
  ["a maintenance without its times", { kind: "maintenance", state: "scheduled" }, "starts_at"],
  [
    "an end before the start",
    { starts_at: "2030-01-02T00:00:00Z", ends_at: "2030-01-01T00:00:00Z" },
    "ends_at",
  ],
  ["a state of the other kind", { state: "scheduled" }, "state"],
  ["no text in Russian", { text_ru: " " }, "text_ru"],
  ["a title that is too long", { title_en: "x".repeat(121) }, "title_en"],
  ["no reason", { reason: "" }, "reason"],
] as const)("%s is refused at its field", async (_, given, path) => {
  const body = { ...incidentBody, ...given };
  const answer = await call(testApp, routes.staffStatus.createIncident, {
    token: staff.token,
    body,
  });
  expect(answer.statusCode).toBe(422);
  const paths = answer.json<{ issues: { path: string }[] }>().issues.map((issue) => issue.path);
  expect(paths).toContain(path);
});

test("an incident of an unknown location is refused", async () => {
  const body = { ...incidentBody, locations: ["atlantis"] };
  const answer = await call(testApp, routes.staffStatus.createIncident, {
    token: staff.token,
    body,
  });
  expect([answer.statusCode, answer.json().code]).toEqual([422, "location_unavailable"]);
});

test("a change of titles and times reaches the page, without a new update", async () => {
  const { id } = await publishIncident(testApp, staff);
  const { kind: _, state: __, text_en: ___, text_ru: ____, ...body } = incidentBody;
  const answer = await call(testApp, routes.staffStatus.updateIncident, {
    token: staff.token,
    params: { incidentId: id },
    body: { ...body, title_en: "Corrected title" },
  });
  expect(answer.statusCode).toBe(200);
  await until(async () => (await page()).body.includes("Corrected title"));
  const shown = (await document()).current.find((each) => each.id === id);
  expect(shown?.updates).toHaveLength(1);
});

test("hostile texts are text on the page, and the feed stays valid XML", async () => {
  const titles: string[] = [];
  for (const text of Object.values(hostileTexts)) {
    const incident = await publishIncident(testApp, staff, {
      title_en: text.slice(0, 120),
      text_en: `${text}\nsecond line`,
    });
    titles.push(incident.title.en);
  }
  await until(async () => {
    const shown = new Set((await document()).current.map(({ title }) => title.en));
    return titles.every((title) => shown.has(title));
  });
  const { body } = await page();
  expect(body).not.toMatch(/<(script|img|svg onload|iframe|style>\*|base|meta http-equiv)/i);
  const feed = await page(statusPaths.feed);
  expect(feed.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
  expect(XMLValidator.validate(feed.body)).toBe(true);
  const entries = z.object({ feed: z.object({ entry: z.array(z.object({ title: z.string() })) }) });
  const parsed = entries.parse(new XMLParser().parse(feed.body));
  const shown = parsed.feed.entry.map(({ title }) => title);
  for (const title of titles) expect(shown.join("\n")).toContain(title);
});

test("the page needs no script and nothing from others, may be cached, and is told apart by language", async () => {
  const answer = await page();
  expect(answer.statusCode).toBe(200);
  // Texts of incidents may say anything; tags and the style sheet may not.
  expect(answer.body).not.toMatch(
    /<script|<[^>]*(src|href|action)="(https?:)?\/\/|<style>[^<]*url\(/,
  );
  expect(answer.headers["cache-control"]).toBe("public, max-age=20");
  expect(answer.headers["vary"]).toBe("accept-language, accept-encoding");
  const again = await testApp.app.inject({
    url: statusPaths.page,
    headers: { ...english, "if-none-match": String(answer.headers["etag"]) },
  });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
  const head = await testApp.app.inject({ method: "HEAD", url: statusPaths.page });
  expect(head.statusCode).toBe(200);
  const slash = await page(`${statusPaths.page}/`);
  expect([slash.statusCode, slash.headers.location]).toEqual([308, "/status"]);
});
