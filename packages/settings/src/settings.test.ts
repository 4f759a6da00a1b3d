import { describe, expect, test } from "vitest";
import { readSettings, settings, SettingsError, type SettingName } from "./settings.ts";

const names = Object.keys(settings) as SettingName[];

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe("readSettings", () => {
  test("an empty environment gives the documented defaults", () => {
    expect(
      readSettings({}, [
        "PALISADE_HTTP_PORT",
        "PALISADE_ZONE",
        "SMTP_URL",
        "PALISADE_PRIVATE_BACKENDS",
      ]),
    ).toEqual({
      PALISADE_HTTP_PORT: 8080,
      PALISADE_ZONE: "gs.localhost",
      PALISADE_PRIVATE_BACKENDS: [],
    });
  });

  test("an empty variable counts as not set", () => {
    expect(
      readSettings({ PALISADE_HTTP_PORT: "" }, ["PALISADE_HTTP_PORT"]).PALISADE_HTTP_PORT,
    ).toBe(8080);
  });

  test("every wrong setting is named at once, and no value is repeated", () => {
    const problems = problemsOf(() =>
      readSettings({ PALISADE_HTTP_PORT: "eighty", SMTP_URL: "secret-value" }, [
        "PALISADE_HTTP_PORT",
        "SMTP_URL",
      ]),
    );
    expect(problems).toEqual([
      expect.stringContaining("PALISADE_HTTP_PORT"),
      expect.stringContaining("SMTP_URL must begin with smtp://"),
    ]);
    expect(problems.join()).not.toContain("secret-value");
  });

  test.each(["-1", "65536", "1.5", "1e9"])("port %s is refused", (port) => {
    expect(
      problemsOf(() => readSettings({ PALISADE_JAVA_PORT: port }, ["PALISADE_JAVA_PORT"])),
    ).toHaveLength(1);
  });

  test("production refuses what has only a development default", () => {
    const problems = problemsOf(() => readSettings({ PALISADE_ENV: "production" }, names));
    const required = names.filter((name) => "requiredInProduction" in settings[name]);
    expect(problems).toHaveLength(required.length);
    for (const name of required)
      expect(problems.join("\n")).toContain(`${name} must be set in production`);
  });

  test("production refuses failpoints", () => {
    const problems = problemsOf(() =>
      readSettings({ PALISADE_ENV: "production", PALISADE_FAILPOINTS: "x" }, [
        "PALISADE_FAILPOINTS",
      ]),
    );
    expect(problems).toEqual(["PALISADE_FAILPOINTS must not be set in production"]);
  });
});
