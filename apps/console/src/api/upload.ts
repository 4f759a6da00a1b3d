import type { Client } from "@palisade/contract/http/client";
import { signedInClient } from "./client.ts";

/** Bytes of the whole body, of which the files are nearly all. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
}

/** A client that reports how much of a call's body is sent. */
export function uploadClient(onProgress: (progress: UploadProgress) => void): Client {
  return signedInClient((url, init) => sendByRequest(new Request(url).url, init ?? {}, onProgress));
}

/** As `fetch`, which reports no progress of a body. */
function sendByRequest(
  url: string,
  init: RequestInit,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new TypeError("The request got no answer"));
    request.open(init.method ?? "GET", url);
    request.responseType = "blob";
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress({ sent: loaded, total }),
    );
    request.addEventListener("load", () => resolve(responseOf(request)));
    for (const event of ["error", "abort", "timeout"]) request.addEventListener(event, fail);
    init.signal?.addEventListener("abort", () => request.abort());
    if (init.signal?.aborted) fail();
    else request.send(init.body as XMLHttpRequestBodyInit | null | undefined);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(request.response as Blob, {
    status: request.status,
    headers: headers.filter(([name]) => name !== ""),
  });
}
