import { describe, expect, test } from "vitest";
import { readApiConfig } from "./config.ts";

const s3 = {
  S3_BUCKET: "palisade-files",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "key",
} as const;

function read(given: Readonly<Record<string, string>>) {
  return readApiConfig({
    DATABASE_URL: "postgres://palisade_app@localhost/palisade",
    PALISADE_SECRET: "0123456789abcdef0123456789abcdef",
    PALISADE_HOME: "/srv/palisade",
    ...given,
  });
}

describe("files of tickets", () => {
  test("are kept in the home folder, or in a bucket", () => {
    expect(read({}).files).toEqual({ kind: "disk", folder: "/srv/palisade/files" });
    expect(read(s3).files).toEqual({
      kind: "s3",
      bucket: "palisade-files",
      region: "us-east-1",
      endpoint: undefined,
      accessKeyId: "id",
      secretAccessKey: "key",
    });
    expect(read({ ...s3, S3_ENDPOINT: "https://s3.example.com/" }).files).toMatchObject({
      endpoint: "https://s3.example.com",
    });
  });

  test.each([
    [{ S3_BUCKET: "palisade-files" }, /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set/],
    [{ S3_ENDPOINT: "https://s3.example.com" }, /S3_BUCKET must be set/],
    [{ S3_SECRET_ACCESS_KEY: "key" }, /S3_BUCKET must be set/],
    [{ ...s3, S3_BUCKET: "Not a bucket" }, /S3_BUCKET/],
    [{ ...s3, S3_ENDPOINT: "ftp://s3.example.com" }, /S3_ENDPOINT/],
  ])("%o is refused with its reason", (given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });

  test("are scanned by clamd at a socket or at a host and port", () => {
    expect(read({}).clamd).toBeUndefined();
    expect(read({ PALISADE_CLAMD: "/run/clamav/clamd.ctl" }).clamd).toEqual({
      path: "/run/clamav/clamd.ctl",
    });
    expect(read({ PALISADE_CLAMD: "[::1]:3310" }).clamd).toEqual({ host: "::1", port: 3310 });
    expect(() => read({ PALISADE_CLAMD: "clamd" })).toThrow(/path of a socket/);
  });
});
