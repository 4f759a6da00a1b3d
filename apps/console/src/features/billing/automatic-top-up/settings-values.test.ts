import { describe, expect, test } from "vitest";
import { isChanged, toForm, topUpForm, toSettings } from "./settings-values.ts";

const stored = { enabled: true, threshold: 10, amount: 20 };

describe("the typed form", () => {
  const problems = (form: object): string[] => {
    const result = topUpForm.safeParse(form);
    return (result.error?.issues ?? []).map(({ path, message }) => `${path.join()} ${message}`);
  };
  test.each([
    [{ enabled: true, threshold: "10", amount: "20" }, []],
    [{ enabled: true, threshold: "1", amount: "1000" }, []],
    [{ enabled: true, threshold: "", amount: "20" }, ["threshold amount.required"]],
    [{ enabled: true, threshold: "0", amount: "20" }, ["threshold amount.min"]],
    [{ enabled: true, threshold: "10", amount: "1001" }, ["amount amount.max"]],
    [
      { enabled: true, threshold: "5000", amount: "" },
      ["threshold amount.max", "amount amount.required"],
    ],
    [{ enabled: false, threshold: "", amount: "0" }, []],
  ])("%j has the problems %j", (form, found) => expect(problems(form)).toEqual(found));

  test("becomes whole euros", () => {
    const form = { enabled: true, threshold: "15", amount: "50" };
    expect(toSettings(form, stored)).toEqual({ enabled: true, threshold: 15, amount: 50 });
  });

  test("does not change the stored amounts when it is switched off", () => {
    const form = { enabled: false, threshold: "", amount: "9999" };
    expect(toSettings(form, stored)).toEqual({ ...stored, enabled: false });
  });
});

test.each([
  [toForm(stored), stored, false],
  [{ ...toForm(stored), amount: "25" }, stored, true],
  [{ ...toForm(stored), enabled: false }, stored, true],
  [{ ...toForm(stored), enabled: false, amount: "" }, { ...stored, enabled: false }, false],
])("%j differs from %j: %j", (form, from, differs) => expect(isChanged(form, from)).toBe(differs));
