import { CallError, type Client } from "@palisade/contract/http/client";
import { mitigation, type MitigationSettings } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import type { Locale } from "@palisade/contract/texts/render";
import { expect } from "vitest";
import {
  dependentRules,
  fallbackVersions,
  limitRows,
  mitigationRefusals,
  reversedRange,
  type DependentRule,
} from "./mitigation-rules.ts";

type Change = Partial<MitigationSettings>;

/**
 * The API's answers: the settings of a new shield on the free plan, settings that depend on others,
 * and refusals that do not depend on the typed value.
 */
export async function expectMitigationAnswers(
  call: Client,
  locale: Locale,
  id: string,
  bring: (change: "pricing_plan" | "status", to: string) => Promise<void>,
): Promise<void> {
  const params = { id };

  const read = async () =>
    mitigation.parse((await call(routes.mitigation.getMitigation, { params })).data);

  async function change(body: Change, headers: Record<string, string> = {}) {
    try {
      await call(routes.mitigation.updateMitigation, { params, body, headers });
      return null;
    } catch (error) {
      if (error instanceof CallError && error.problem !== null) return error.problem;
      throw error;
    }
  }

  async function stored(body: Change) {
    expect(await change(body)).toBeNull();
    return read();
  }

  await expectFallbacks(call, await read());
  await expectRefusals();
  await expectDependentRules();

  /** Each row is brought about; the shield is active and on the largest plan afterwards. */
  async function expectRefusals(): Promise<void> {
    const rows: Record<keyof typeof mitigationRefusals, () => ReturnType<typeof change>> = {
      planRequired: () => change({ antibot_level: "extreme" }),
      changedMeanwhile: () => change({ anti_forge: true }, { "if-match": '"another"' }),
      async notActive() {
        await bring("status", "expired");
        const refusal = await change({ anti_forge: true });
        await bring("status", "active");
        return refusal;
      },
    };
    for (const [name, { when, status, code, ...texts }] of Object.entries(mitigationRefusals)) {
      // A key of the table: `Object.entries` cannot know.
      const refusal = await rows[name as keyof typeof rows]();
      expect(refusal, when).toMatchObject({ status, code, message: texts[locale] });
    }
    await bring("pricing_plan", "network");
  }

  async function expectDependentRules(): Promise<void> {
    const before = await read();
    const zero = { max_connections: 0 };
    const { min: later, max: earlier } = reversedRange;
    const rows: Record<DependentRule, () => Promise<void>> = {
      async rest() {
        expect(await stored(zero)).toEqual({ ...before, ...zero });
      },
      async zeroWhileOff() {
        const refusal = await change({ max_connections_enabled: true });
        expect(refusal?.issues).toMatchObject([{ path: "max_connections", code: "limit.zero" }]);
      },
      async swapped() {
        const { minecraft_versions: range } = await stored({ minecraft_versions: reversedRange });
        expect(range).toEqual({ min: earlier, max: later });
      },
      async lowerCase() {
        expect((await stored({ antibot_level: "high" })).antibot_level).toBe("high");
      },
    };
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(dependentRules).toSorted());
    for (const row of Object.values(rows)) await row();
  }
}

async function expectFallbacks(call: Client, settings: MitigationSettings): Promise<void> {
  for (const [name, { fallback }] of Object.entries(limitRows)) {
    expect(settings, name).toMatchObject({ [name]: fallback });
  }
  const { versions } = (await call(routes.minecraft.versions, {})).data;
  const known = versions.filter((each) => fallbackVersions.includes(each));
  expect(known).toEqual(fallbackVersions);
}
