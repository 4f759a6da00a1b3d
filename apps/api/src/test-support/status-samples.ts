import { routes } from "@palisade/contract/http/routes";
import type { RouteSample } from "./route-sample.ts";
import type { TestApp } from "./test-app.ts";
import { call, expectStatus, type TestUser } from "./test-users.ts";

/** Fields of an incident as staff publish it. */
export const incidentBody = {
  kind: "incident",
  title_en: "Players cannot join through Local",
  title_ru: "Игроки не могут зайти через Local",
  impact: "minor",
  locations: ["local"],
  affects_console: false,
  state: "investigating",
  text_en: "We are looking for the cause.",
  text_ru: "Мы ищем причину.",
  reason: "Alarms of the edges",
} as const;

/** Publishes an incident, or what the given fields make of it. */
export async function publishIncident(
  testApp: TestApp,
  staff: Pick<TestUser, "token">,
  given: Readonly<Record<string, unknown>> = {},
) {
  const { createIncident } = routes.staffStatus;
  const body = { ...incidentBody, ...given };
  const answer = await expectStatus(
    call(testApp, createIncident, { token: staff.token, body }),
    201,
  );
  return createIncident.response.parse(answer.json()).incident;
}

export const statusSamples = {
  "staffStatus.list": () => ({}),
  "staffStatus.create": () => ({ body: incidentBody }),
  async "staffStatus.update"({ testApp, staff }) {
    const { id } = await publishIncident(testApp, staff);
    const { kind: _, state: __, text_en: ___, text_ru: ____, ...body } = incidentBody;
    return { params: { incidentId: id }, body };
  },
  async "staffStatus.addUpdate"({ testApp, staff }) {
    const { id } = await publishIncident(testApp, staff);
    const { text_en, text_ru, reason } = incidentBody;
    return { params: { incidentId: id }, body: { state: "identified", text_en, text_ru, reason } };
  },
} satisfies Record<string, RouteSample>;
