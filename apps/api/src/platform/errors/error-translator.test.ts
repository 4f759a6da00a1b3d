import { describe, expect, test } from "vitest";
import { translateError } from "./error-translator.ts";

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

const statusOf = (error: Error): number => translateError(error, "en", "request").body.status;

describe("an error of the operating system", () => {
  test.each(["ENOENT", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"])(
    "%s from connecting says that the service is away, to try again later",
    (code) => expect(statusOf(systemError(code, "connect"))).toBe(503),
  );

  test("from a missing file is a defect, not an outage", () => {
    expect(statusOf(systemError("ENOENT", "open"))).toBe(500);
  });
});
