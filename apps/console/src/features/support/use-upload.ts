import type { Client } from "@palisade/contract/http/client";
import { useRef, useState } from "react";
import { hasCode, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { uploadClient } from "#src/api/upload.ts";

interface Upload {
  readonly client: Client;
  readonly headers: { readonly "idempotency-key": string };
}

/**
 * Sends texts with files: once, however often it is tried. After a lost answer the same texts and
 * files go with the same key, which the api has seen or not.
 */
export function useUpload() {
  const keys = useRef(createIdempotencyKeys());
  const [sentShare, setSentShare] = useState<number>();

  async function upload<T>(
    body: unknown,
    files: readonly File[],
    send: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    const named = files.map(({ name, size, lastModified }) => [name, size, lastModified]);
    const headers = { "idempotency-key": keys.current.begin([body, named]) };
    const client = uploadClient(({ sent, total }) => setSentShare(total === 0 ? 1 : sent / total));
    setSentShare(0);
    try {
      const answer = await send({ client, headers });
      keys.current.settle();
      return answer;
    } catch (error) {
      // While the first request still runs, only its key leads to its answer.
      const isRunning = hasCode(error, "idempotency_in_progress");
      if (!isTransient(error) && !isRunning) keys.current.settle();
      throw error;
    } finally {
      setSentShare(undefined);
    }
  }

  return { upload, sentShare };
}
