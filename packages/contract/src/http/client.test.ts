import { describe, expect, test } from "vitest";
import { CallError, createClient } from "./client.ts";
import { routes } from "./routes.ts";

function recordingFetch(answer: () => Response) {
  const calls: { url: string; init: RequestInit | undefined }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    calls.push({ url: url instanceof Request ? url.url : String(url), init });
    return answer();
  };
  return { calls, fetch };
}

const id = "018f2c3e-0000-7000-8000-000000000001";

describe("createClient", () => {
  test("fills the path and leaves undefined query values out", async () => {
    const { calls, fetch } = recordingFetch(() => Response.json({}));
    const call = createClient({ baseUrl: "http://api.test", fetch });
    await call(routes.servers.getPropagation, { params: { id }, query: { revision: 3 } });
    await call(routes.servers.listServers, { query: { page: 2, status: undefined } });
    expect(calls.map(({ url }) => url)).toEqual([
      `http://api.test/api/v1/servers/${id}/propagation?revision=3`,
      "http://api.test/api/v1/servers?page=2",
    ]);
  });

  test("a body that may be a form is sent as one: names in brackets, data URIs as files", async () => {
    const { calls, fetch } = recordingFetch(() => Response.json({}));
    const call = createClient({ baseUrl: "", fetch });
    const image = "data:image/png;base64,AQID";
    const offline = { motd_line1: "§aПривет", offline_image: image };
    await call(routes.serverMessages.updateServerMessages, { params: { id }, body: { offline } });
    const form = calls[0]?.init?.body;
    if (!(form instanceof FormData)) throw new Error("The body is no form");
    expect(form.get("offline[motd_line1]")).toBe("§aПривет");
    const file = form.get("offline[offline_image]");
    expect(file instanceof Blob && new Uint8Array(await file.arrayBuffer())).toEqual(
      new Uint8Array([1, 2, 3]),
    );
    expect(new Headers(calls[0]?.init?.headers).has("content-type")).toBe(false);
  });

  test("a problem answer becomes a CallError that carries it", async () => {
    const body = {
      type: "t",
      title: "t",
      status: 404,
      code: "not_found",
      message: "Not found",
      issues: [],
    };
    const { fetch } = recordingFetch(() => Response.json(body, { status: 404 }));
    const call = createClient({ baseUrl: "", fetch });
    const failure = await call(routes.servers.getServer, { params: { id } }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(CallError);
    expect(failure).toMatchObject({ status: 404, problem: body, message: "Not found" });
  });

  test("a refusal for asking too often says how long to wait", async () => {
    const asked = (headers: Record<string, string>) => {
      const fetch = () => Promise.resolve(new Response("", { status: 429, headers }));
      return createClient({ baseUrl: "", fetch })(routes.auth.user, {});
    };
    await expect(asked({ "retry-after": "5" })).rejects.toMatchObject({ retryAfterSeconds: 5 });
    await expect(asked({})).rejects.toMatchObject({ retryAfterSeconds: null });
  });

  test("an answer that is no problem document and a failed connection are CallErrors too", async () => {
    const html = createClient({
      baseUrl: "",
      fetch: async () => new Response("<h1>", { status: 502 }),
    });
    await expect(html(routes.auth.user, {})).rejects.toMatchObject({ status: 502, problem: null });
    const dead = createClient({
      baseUrl: "",
      fetch: () => Promise.reject(new TypeError("refused")),
    });
    await expect(dead(routes.auth.user, {})).rejects.toMatchObject({ status: 0, problem: null });
  });
});
