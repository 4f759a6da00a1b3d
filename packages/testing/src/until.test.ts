import { describe, expect, test } from "vitest";
import { until } from "./until.ts";

describe("until", () => {
  test("returns the first value that holds", async () => {
    let asked = 0;
    const value = await until(() => (++asked < 3 ? undefined : `asked ${asked}`), { everyMs: 1 });
    expect(value).toBe("asked 3");
  });

  test("treats an error as 'not yet'", async () => {
    let asked = 0;
    const condition = async (): Promise<boolean> => {
      if (++asked < 3) throw new Error("refused");
      return true;
    };
    expect(await until(condition, { everyMs: 1 })).toBe(true);
  });

  test("gives up at the cap, naming what it waited for and the last error", async () => {
    const cause = new Error("refused");
    const never = until(
      () => {
        throw cause;
      },
      { capMs: 5, everyMs: 1, what: "the ready line" },
    );
    await expect(never).rejects.toThrow(
      expect.objectContaining({ message: "the ready line did not come within 5 ms", cause }),
    );
  });
});
