import type { ProbeRequest } from "@palisade/contract/edge/probe";
import { routes } from "@palisade/contract/http/routes";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runDoctor } from "#src/test-support/doctor-steps.ts";
import {
  codesOf,
  domainOf,
  healthy,
  createDoctorFixture,
  theOne,
  unseen,
  type DoctorFixture,
} from "#src/test-support/test-doctor.ts";
import { addMember } from "#src/test-support/test-shields.ts";
import { call, createUser } from "#src/test-support/test-users.ts";

let fixture: DoctorFixture;
beforeAll(async () => {
  fixture = await createDoctorFixture();
}, 60_000);
beforeEach(() => fixture.begin());
afterEach(() => fixture.closeStreams());
afterAll(() => fixture?.close());

describe("the doctor", () => {
  test("finds everything well, seen from every edge, whichever replica holds its stream", async () => {
    await fixture.startEdge("ams");
    await fixture.startEdge("fra");
    const report = await runDoctor(fixture);
    expect(report.outcome).toBe("ok");
    expect(codesOf(report)).toEqual([
      "dns.verified",
      "dns.label_served",
      "edge.current",
      "edge.current",
      "backend.online",
      "proxy.matches",
      "backend.online",
      "proxy.matches",
      "version.known",
      "origin.private",
    ]);
    expect(report.findings.map(({ edge }) => edge)).toEqual([
      null,
      null,
      "ams",
      "fra",
      "ams",
      "ams",
      "fra",
      "fra",
      null,
      null,
    ]);
    expect(report.findings[4]).toEqual({
      subject: "backend",
      name: "127.0.0.1:25565",
      edge: "ams",
      outcome: "ok",
      code: "backend.online",
      title: "127.0.0.1:25565 answers",
      fix: null,
      seen: "Paper 1.21.4, 12/100 players, 8 ms",
    });
    expect(theOne(report, "dns.verified").seen).toBe(`CNAME ${fixture.shield.cname_record}`);
  });

  test("asks as a player would, both with and without a PROXY header", async () => {
    const requests: ProbeRequest[] = [];
    await fixture.startEdge("ams", (request) => {
      requests.push(request);
      return healthy;
    });
    await runDoctor(fixture);
    expect(requests).toEqual([
      {
        id: expect.any(String),
        host: "127.0.0.1",
        port: 25_565,
        hostname: domainOf(fixture.shield),
        protocol: currentProtocol,
        proxy: "both",
        deadline_ms: 3_000,
      },
    ]);
  });

  test("speaks the language of the request, to sub-users too", async () => {
    const member = await createUser(fixture.testApp);
    await addMember(fixture.testApp, fixture.shield.id, member);
    await fixture.startEdge("ams", () => [unseen(false, "refused"), unseen(true, "refused")]);
    const report = await runDoctor(fixture, member, "ru");
    const { title, fix } = theOne(report, "backend.refused");
    expect(title).toBe("127.0.0.1:25565 отказывает в соединении");
    expect(fix).toContain("server-port");
  });
});

describe("a backend", () => {
  test("that only one edge reaches fails for the other edge only", async () => {
    await fixture.startEdge("ams");
    await fixture.startEdge("fra", () => [unseen(false, "timeout"), unseen(true, "timeout")]);
    const report = await runDoctor(fixture);
    expect(theOne(report, "backend.online").edge).toBe("ams");
    expect(theOne(report, "backend.timeout").edge).toBe("fra");
  });
});

describe("a run", () => {
  test("is limited by user, however many shields they have", async () => {
    const [byUser] = routes.doctor.runDoctor.limits;
    const shields = [fixture.shield];
    for (let n = 0; n < 3; n += 1) shields.push(await fixture.createShield());
    const statuses: number[] = [];
    for (let n = 0; n <= byUser.max; n += 1) {
      const id = shields[n % shields.length]?.id ?? "";
      const answer = await call(fixture.testApp, routes.doctor.runDoctor, {
        token: fixture.owner.token,
        params: { id },
      });
      statuses.push(answer.statusCode);
    }
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});
