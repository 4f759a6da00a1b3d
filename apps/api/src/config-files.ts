import path from "node:path";
import type { SettingValues } from "@palisade/settings/settings";
import type { FilesConfig } from "#src/platform/files/file-store.ts";

/** The settings of the files of tickets. */
export const fileNames = [
  "S3_BUCKET",
  "S3_ENDPOINT",
  "S3_REGION",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "PALISADE_CLAMD",
] as const;

/** Adds what is wrong to the problems. */
export function readFiles(
  values: SettingValues<(typeof fileNames)[number]>,
  home: string,
  problems: string[],
): FilesConfig {
  const disk = { kind: "disk", folder: path.join(home, "files") } as const;
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = values;
  if (bucket === undefined) {
    if (id !== undefined || secret !== undefined || values.S3_ENDPOINT !== undefined) {
      problems.push("S3_BUCKET must be set, because other settings of S3 are");
    }
    return disk;
  }
  if (id === undefined || secret === undefined) {
    problems.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set, because S3_BUCKET is");
    return disk;
  }
  return {
    kind: "s3",
    bucket,
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    accessKeyId: id,
    secretAccessKey: secret,
  };
}
