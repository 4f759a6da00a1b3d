import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { Disk } from "flydrive";

/** The place of files: a folder of this machine, or a bucket. */
export type FilesConfig =
  | { readonly kind: "disk"; readonly folder: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly region: string;
      /** Undefined: Amazon's. */
      readonly endpoint: string | undefined;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

export interface StoredFile {
  readonly key: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Files by keys. A file is never changed: it is written once, and removed. */
export interface FileStore {
  /** Has it on the disk, or in the bucket, when it returns. */
  put(file: StoredFile): Promise<void>;
  /** @throws Error where there is none */
  read(key: string): Promise<Readable>;
  /** Does nothing where there is none. */
  remove(key: string): Promise<void>;
  /** All keys that begin with `prefix` and a slash, in pages. */
  list(prefix: string): AsyncGenerator<readonly string[]>;
}

const answersMs = 60_000;

export function createFileStore(config: FilesConfig): FileStore {
  let opened: Promise<Disk> | undefined;
  const disk = (): Promise<Disk> => {
    opened ??= openDisk(config).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async put({ key, bytes, contentType }) {
      const options = { contentType, contentLength: bytes.length };
      await (await disk()).put(key, bytes, options);
      if (config.kind === "disk") await flush(path.join(config.folder, key));
    },
    async read(key) {
      if (config.kind === "s3") return (await disk()).getStream(key);
      // Opened here, because a stream says only later that there is no file.
      return (await open(path.join(config.folder, key), "r")).createReadStream();
    },
    remove: async (key) => (await disk()).delete(key),
    async *list(prefix) {
      const from = await disk();
      let paginationToken: string | undefined;
      do {
        const page = await from.listAll(`${prefix}/`, {
          recursive: true,
          ...(paginationToken !== undefined && { paginationToken }),
        });
        yield [...page.objects].flatMap((each) => (each.isFile ? [each.key] : []));
        ({ paginationToken } = page);
      } while (paginationToken !== undefined);
    },
  };
}

async function openDisk(config: FilesConfig): Promise<Disk> {
  if (config.kind === "disk") {
    const { FSDriver } = await import("flydrive/drivers/fs");
    await mkdir(config.folder, { recursive: true, mode: 0o700 });
    return new Disk(new FSDriver({ location: config.folder, visibility: "private" }));
  }
  // Large, and most installations keep files on their disk.
  const { S3Driver } = await import("flydrive/drivers/s3");
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = config;
  return new Disk(
    new S3Driver({
      bucket,
      region,
      visibility: "private",
      supportsACL: false,
      credentials: { accessKeyId, secretAccessKey },
      requestHandler: { requestTimeout: answersMs, connectionTimeout: 5_000 },
      // Servers other than Amazon's do not know its newer checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    }),
  );
}

/** So that no row names a file that a power cut took. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
