import { editPlan, type StaffPlan } from "@palisade/contract/http/staff-plans";
import { expect, test } from "vitest";
import { planBody, planValues } from "./plan-values.ts";

const plan: StaffPlan = {
  slug: "plus",
  price_cents: 900,
  is_retired: false,
  position: 1,
  holders: 3,
  other_terms: 0,
  en: { name: "Plus", description: "For growing servers", features: ["Three domains"] },
  ru: { name: "Плюс", description: "Для растущих", features: ["Три домена"] },
  limits: {
    domains: 3,
    backend_groups: 2,
    traffic_bytes_per_month: 500_000_000_000,
    caching: true,
    customization: true,
    bedrock: true,
    antibot_ceiling: "high",
    anti_vpn: false,
    log_days: 14,
    locations: ["frankfurt", "kyiv"],
    players: 100,
  },
};
const reason = "A check";

test("a plan that is saved without a change stays as it was", () => {
  const { en, ru, limits, position } = plan;
  const body = editPlan.body.parse(planBody(plan, { ...planValues(plan), reason }));
  expect(body).toMatchObject({ en, ru, position, limits });
});

test("empty fields are no limit, and without Russian texts there is no translation", () => {
  const values = {
    ...planValues(plan),
    ru_name: "",
    ru_description: " ",
    ru_features: "\n",
    limits_traffic_bytes_per_month: "",
    limits_players: "",
    limits_locations: "",
    reason,
  };
  const body = planBody(plan, values);
  expect(body.ru).toBeNull();
  expect(body.limits).toMatchObject({
    traffic_bytes_per_month: null,
    players: null,
    locations: null,
    bedrock: true,
  });
});

test("what is no number is refused at its field", () => {
  const { error } = editPlan.body.safeParse(
    planBody(plan, { ...planValues(plan), limits_domains: "many", reason }),
  );
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["limits.domains"]);
});
