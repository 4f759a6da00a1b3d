import { authRoutes } from "@palisade/contract/http/auth";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

const stored = new Map<string, string>();
// No view as a customer.
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});
vi.stubGlobal("addEventListener", () => undefined);
/** The one token that the api takes. */
let valid = "pst_old";
const fetched = vi.fn<
  (url: string, init: { headers: Record<string, string> }) => Promise<Response>
>(async (_url, { headers }) =>
  headers["authorization"] === `Bearer ${valid}`
    ? Response.json({ message: "done" })
    : Response.json({}, { status: 401 }),
);
vi.stubGlobal("fetch", fetched);
const { call } = await import("./client.ts");
const { onSessionEnd, readToken, renewToken } = await import("./session.ts");
const ended = vi.fn<() => void>();
onSessionEnd(ended);

beforeEach(() => {
  valid = "pst_old";
  stored.set("access_token", "pst_old");
  fetched.mockClear();
  ended.mockClear();
});
afterAll(() => vi.unstubAllGlobals());

test("a call that a step-up overtakes is made again with the new token, once it is stored", async () => {
  let answer = (_token: string): void => undefined;
  const renewal = renewToken(() => new Promise((resolve) => (answer = resolve)));
  // The api has replaced the token, and its answer is under way.
  valid = "pst_new";
  const overtaken = call(authRoutes.logout, {});
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
  answer("pst_new");
  await renewal;
  expect((await overtaken).data).toEqual({ message: "done" });
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(ended).not.toHaveBeenCalled();
});

test("a token that no step-up replaced is refused once, and the session ends", async () => {
  valid = "pst_other";
  await expect(call(authRoutes.logout, {})).rejects.toMatchObject({ status: 401 });
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(ended).toHaveBeenCalledWith("expired");
  expect(readToken()).toBeNull();
});

test("a session that ended during a step-up stays ended", async () => {
  await renewToken(async () => {
    stored.delete("access_token");
    return "pst_new";
  });
  expect(readToken()).toBeNull();
});
