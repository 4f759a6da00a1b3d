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

  test("from a caller who left in the middle of a body is the caller's, and no alarm", () => {
    const left = Object.assign(new Error("aborted"), { code: "ECONNRESET", statusCode: 400 });
    const { status, isUnexpected } = translateError(left, "en", "request");
    expect([status, isUnexpected]).toEqual([400, false]);
  });
});
