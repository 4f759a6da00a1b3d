import { describe, expect, test } from "vitest";
import {
  bandwidth,
  bytes,
  count,
  euros,
  perSecond,
  rate,
  relativeTime,
  seconds,
} from "./format.ts";

const now = new Date("2026-03-10T12:00:00Z");

describe("relativeTime", () => {
  test.each([
    ["2026-03-10T11:59:40Z", "now"],
    ["2026-03-10T11:57:00Z", "3 minutes ago"],
    ["2026-03-09T11:00:00Z", "yesterday"],
    ["2026-06-10T12:00:00Z", "in 3 months"],
  ])("%s reads %s", (at, text) => expect(relativeTime("en", new Date(at), now)).toBe(text));

  test("declines Russian units", () => {
    expect(relativeTime("ru", new Date("2026-03-10T11:58:00Z"), now)).toBe("2 минуты назад");
    expect(relativeTime("ru", new Date("2026-03-10T11:55:00Z"), now)).toBe("5 минут назад");
  });
});

describe("numbers", () => {
  test("money keeps both cents", () => expect(euros("en", 4250)).toBe("€42.50"));
  test("large counts are short, small ones whole", () => {
    expect(count("en", 9_999)).toBe("9,999");
    expect(count("en", 18_400_000)).toBe("18.4M");
  });
  test("small rates keep a decimal", () => {
    expect(rate("en", 0.3)).toBe("0.3");
    expect(rate("en", 4812.4)).toBe("4,812");
  });
  test("bandwidth takes the unit that keeps it readable", () => {
    expect(bandwidth("en", 0)).toBe("0 bit/s");
    expect(bandwidth("en", 999)).toBe("999 bit/s");
    expect(bandwidth("en", 41_800_000)).toBe("42 Mbit/s");
    expect(bandwidth("en", 4_180_000)).toBe("4.2 Mbit/s");
  });
  test("units are in the language of the reader", () => {
    expect(bandwidth("ru", 4_180_000)).toBe("4,2 Мбит/с");
    expect(bytes("en", 1_000_000_000_000)).toBe("1 TB");
    expect(bytes("ru", 1_540_000_000)).toBe("1,5 ГБ");
    expect(perSecond("ru", 0.3)).toBe("0,3/с");
  });
  test("receipts show hundredths below a second", () => {
    expect(seconds("en", 243)).toBe("0.24");
    expect(seconds("en", 1640)).toBe("1.6");
  });
});
