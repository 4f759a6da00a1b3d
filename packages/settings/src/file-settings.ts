import { z } from "zod";
import { refuseUnsafeUrl } from "./encrypted-urls.ts";
import { setting } from "./setting.ts";
import { urlPrefix } from "./value-schemas.ts";

/** A socket of this machine (`/run/clamav/clamd.ctl`), or `host:port`. */
const clamdAddress = z
  .string()
  .regex(
    /^(\/.{1,100}|(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):[0-9]{1,5})$/,
    "must be the path of a socket, or address:port",
  )
  .transform((value) => {
    if (value.startsWith("/")) return { path: value };
    const colon = value.lastIndexOf(":");
    return { host: value.slice(0, colon).replace(/^\[|\]$/g, ""), port: +value.slice(colon + 1) };
  });

/** The place of the files of tickets, and the scanner that looks into them. */
export const fileSettings = {
  S3_BUCKET: setting({
    schema: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name"),
    fallback: null,
    description:
      "Bucket for the files of tickets, which several api machines share. Default: the folder `files` of PALISADE_HOME.",
    programs: ["api"],
  }),
  S3_ENDPOINT: setting({
    schema: urlPrefix,
    fallback: null,
    description:
      "URL of an S3 server other than Amazon's; the bucket's name is then part of the path.",
    programs: ["api"],
    refusedInProduction: refuseUnsafeUrl,
  }),
  S3_REGION: setting({
    schema: z.string().regex(/^[a-z0-9-]{1,40}$/, "must be a region's name"),
    fallback: "us-east-1",
    description: "Region of the bucket.",
    programs: ["api"],
  }),
  S3_ACCESS_KEY_ID: setting({
    schema: z.string().min(1, "must be a key's id"),
    fallback: null,
    description:
      "Id of the key for the bucket. It needs to read, write, delete and list objects below `attachments/`.",
    programs: ["api"],
  }),
  S3_SECRET_ACCESS_KEY: setting({
    schema: z.string().min(1, "must be a key"),
    fallback: null,
    description: "The key itself.",
    programs: ["api"],
    secret: true,
  }),
  PALISADE_CLAMD: setting({
    schema: clamdAddress,
    fallback: null,
    description:
      "Address of ClamAV's clamd, which then looks into every file of a ticket: the path of its socket, or `host:port`. While it does not answer, files are refused. Its `StreamMaxLength` has to be 10 MB or more. Default: files are not scanned.",
    programs: ["api"],
  }),
};
