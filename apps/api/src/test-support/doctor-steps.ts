import { routes } from "@palisade/contract/http/routes";
import type { DoctorReport } from "@palisade/contract/http/server-setup";
import type { Updateable } from "kysely";
import { expect } from "vitest";
import type { Database } from "#src/schema/database.ts";
import type { DoctorFixture } from "./test-doctor.ts";
import { call } from "./test-users.ts";

/** The doctor's report on the fixture's shield, which holds what every report has to. */
export async function runDoctor(
  fixture: DoctorFixture,
  user = fixture.owner,
  locale = "en",
): Promise<DoctorReport> {
  const answer = await call(fixture.testApp, routes.doctor.runDoctor, {
    token: user.token,
    params: { id: fixture.shield.id },
    headers: { "accept-language": locale },
  });
  expect(answer.statusCode).toBe(200);
  const report = routes.doctor.runDoctor.response.parse(answer.json());
  for (const finding of report.findings) {
    expect(finding.code.startsWith(`${finding.subject}.`)).toBe(true);
    // Whatever is not well comes with what to do about it, and nothing is left to fill in.
    expect(finding.fix === null).toBe(finding.outcome === "ok");
    expect(`${finding.title} ${finding.fix} ${finding.seen}`).not.toMatch(/[{}]|undefined|§/);
  }
  return report;
}

/** Changes every group of the fixture's shield. */
export const setGroup = (fixture: DoctorFixture, change: Updateable<Database["backend_groups"]>) =>
  fixture.testApp.platform.db
    .updateTable("backend_groups")
    .set(change)
    .where("shield_id", "=", fixture.shield.id)
    .execute();
